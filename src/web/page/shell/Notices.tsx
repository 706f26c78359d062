import { X } from "lucide";
import { useKeys } from "../core/keys.ts";
import { dismiss, notices } from "../core/notices.ts";
import { Button } from "../parts/Button.tsx";

export function Notices() {
  const newest = notices.value.findLast(({ undo }) => undo !== undefined);
  const undo = () => {
    if (newest === undefined) return;
    dismiss(newest.id);
    newest.undo?.();
  };
  useKeys({ "Mod+z": { what: "undo what was just done", run: undo } }, newest !== undefined);
  return (
    <div class="notices stack gap-2" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <div
          key={notice.id}
          class={`notice row gap-2 rounded surface ${notice.isFailure ? "notice-failure" : ""}`}
        >
          <span>{notice.text}</span>
          {notice.undo && (
            <Button
              kind="quiet"
              onClick={() => {
                dismiss(notice.id);
                notice.undo?.();
              }}
            >
              Undo
            </Button>
          )}
          <Button kind="quiet" icon={X} aria-label="Dismiss" onClick={() => dismiss(notice.id)} />
        </div>
      ))}
    </div>
  );
}
