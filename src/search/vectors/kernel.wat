;; Products of one query with many stored vectors. scripts/vectors/kernel.mjs compiles this into kernel-bytes.ts.
;; Addresses and offsets are in bytes. Each function writes one 32-bit number a row, from $out on.
(module
  (import "env" "memory" (memory 1))

  ;; Rows of 256 values of 4 bits, see `pack` in quantise.ts; the query has 16-bit values.
  ;; The four bits of three of four dimensions are masked where they are, which multiplies them by 1, 16 and 256; each has its
  ;; own sum, shifted back at the end. The largest sum is 16 * 2047 * 15 * 256, far below 32 bits.
  (func (export "products") (param $query i32) (param $row i32) (param $out i32) (param $rows i32)
    (local $at i32) (local $end i32) (local $packed v128)
    (local $mask1 v128) (local $mask2 v128) (local $mask3 v128)
    (local $sum1 v128) (local $sum2 v128) (local $sum3 v128) (local $sum4 v128)
    (local.set $mask1 (i16x8.splat (i32.const 0x000f)))
    (local.set $mask2 (i16x8.splat (i32.const 0x00f0)))
    (local.set $mask3 (i16x8.splat (i32.const 0x0f00)))
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $row) (i32.const 128)))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $sum4 (v128.const i32x4 0 0 0 0))
        (loop $next_32_values
          (local.set $packed (v128.load align=2 (local.get $row)))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s
            (v128.and (local.get $packed) (local.get $mask1)) (v128.load align=2 (local.get $at)))))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.dot_i16x8_s
            (v128.and (local.get $packed) (local.get $mask2)) (v128.load offset=16 align=2 (local.get $at)))))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.dot_i16x8_s
            (v128.and (local.get $packed) (local.get $mask3)) (v128.load offset=32 align=2 (local.get $at)))))
          ;; The highest bits are shifted down: as a signed number they would be negative where they are.
          (local.set $sum4 (i32x4.add (local.get $sum4) (i32x4.dot_i16x8_s
            (i16x8.shr_u (local.get $packed) (i32.const 12)) (v128.load offset=48 align=2 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (br_if $next_32_values (i32.lt_u (local.get $row) (local.get $end))))
        (i32.store (local.get $out) (call $lanes (i32x4.add
          (i32x4.add (local.get $sum1) (i32x4.shr_s (local.get $sum2) (i32.const 4)))
          (i32x4.add (i32x4.shr_s (local.get $sum3) (i32.const 8)) (local.get $sum4)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next_row))))

  ;; Rows of 8-bit values, a multiple of 16 of them; the query has 16-bit values. 127 * 127 * 2 is far below 32 bits.
  (func (export "dots") (param $query i32) (param $row i32) (param $out i32) (param $rows i32) (param $dimensions i32)
    (local $at i32) (local $end i32) (local $sum1 v128) (local $sum2 v128)
    (block $done
      (loop $next_row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $dimensions)))
        ;; Two independent sums, so that neither waits for the other.
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (loop $next_16_values
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.dot_i16x8_s
            (v128.load8x8_s align=1 (local.get $row)) (v128.load align=2 (local.get $at)))))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.dot_i16x8_s
            (v128.load8x8_s offset=8 align=1 (local.get $row)) (v128.load offset=16 align=2 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (br_if $next_16_values (i32.lt_u (local.get $row) (local.get $end))))
        (i32.store (local.get $out) (call $lanes (i32x4.add (local.get $sum1) (local.get $sum2))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next_row))))

  (func $lanes (param $sum v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
