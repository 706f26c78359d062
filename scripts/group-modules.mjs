// Which modules share a file. esbuild puts two modules into one file when exactly the same entry points need them; with fifty
// entry points that makes 160 files, most of them tiny, and every file that a process opens costs it about as much as
// reading 6 KB more. So small groups are joined where that makes the starts cheaper.

/** What opening one more file costs, in bytes of code that could be loaded in the same time. Measured with hooks. */
const FILE_COST = 6000;
/** A hook is on the user's critical path, a command is not. At this weight all that every hook loads becomes one file. */
const HOOK_WEIGHT = 200;
/** What a hook loads besides at some moments: at a start, at a prompt. What every hook has loaded costs it nothing. */
const MOMENT_WEIGHT = 20;
/** What loading one more of Node's modules costs, as `FILE_COST`: `child_process` brings 30 internal ones and takes 4 ms. */
const BUILTIN_COST = 100_000;

/**
 * For each entry point the modules that it must load besides its own, so that esbuild joins the groups.
 * `modules`: path to size, static imports and Node's modules that it imports. `entries`: paths of the entry points.
 * `processes`: those of them that do something when they are loaded, so nobody else may load them. `hooks`: those that
 * every hook loads. `isOfMoment`: whether hooks load an entry point at some moments.
 */
export function extraImports(modules, entries, processes, hooks, isOfMoment) {
  const weightOf = (entry) => (hooks.includes(entry) ? HOOK_WEIGHT : isOfMoment(entry) ? MOMENT_WEIGHT : 1);
  const hookBits = entries.reduce(
    (bits, entry, bit) => bits | (hooks.includes(entry) ? 1n << BigInt(bit) : 0n),
    0n,
  );
  const weights = { all: entries.map(weightOf), hookBits };
  const needed = neededBy(modules, entries);
  const free = new Set(
    [...modules].flatMap(([path, { builtins }]) => ((needed.get(path) & hookBits) === 0n ? [] : builtins)),
  );
  // Modules with the same signature never part: from here on they count as one.
  const { nodes, nodeOf } = collapsed(needed, modules, free);
  let signatures = new Map([...nodes].map(([name, { paths }]) => [name, needed.get(paths[0])]));
  let cost = costOf(signatures, nodes, weights);
  const alone = new Set(processes.map((path) => needed.get(path)));
  const settled = new Set();
  for (;;) {
    const groups = grouped(signatures, nodes).filter(({ signature }) => !alone.has(signature));
    const smallest = groups.find(({ signature }) => !settled.has(signature));
    if (smallest === undefined) break;
    let best;
    for (const other of groups) {
      // A hook loads nothing that it does not need, whatever that would save elsewhere.
      if (other === smallest || (other.signature & hookBits) !== (smallest.signature & hookBits)) continue;
      const joined = join(signatures, nodes, smallest, other);
      const joinedCost = costOf(joined, nodes, weights);
      if (joinedCost < (best?.cost ?? cost)) best = { signatures: joined, cost: joinedCost };
    }
    if (best === undefined) settled.add(smallest.signature);
    else ({ signatures, cost } = best);
  }
  return new Map(
    entries.map((entry, bit) => [
      entry,
      [...nodeOf.keys()].filter(
        (path) => has(signatures.get(nodeOf.get(path)), bit) && !has(needed.get(path), bit),
      ),
    ]),
  );
}

function collapsed(signatures, modules, free) {
  const nodeOf = new Map();
  for (const [path, signature] of signatures) if (signature !== 0n) nodeOf.set(path, String(signature));
  const nodes = new Map();
  for (const [path, name] of nodeOf) {
    const node = nodes.get(name) ?? { size: 0, imports: new Set(), builtins: new Set(), paths: [] };
    const { size, imports, builtins } = modules.get(path);
    node.size += size;
    for (const one of builtins) {
      if (free.has(one) || node.builtins.has(one)) continue;
      node.builtins.add(one);
      node.size += BUILTIN_COST;
    }
    node.paths.push(path);
    for (const imported of imports) if (nodeOf.get(imported) !== name) node.imports.add(nodeOf.get(imported));
    nodes.set(name, node);
  }
  return { nodes, nodeOf };
}

const has = (signature, bit) => ((signature >> BigInt(bit)) & 1n) === 1n;

/** Each module's signature: one bit for every entry point that needs it. */
function neededBy(modules, entries) {
  const signatures = new Map([...modules.keys()].map((path) => [path, 0n]));
  entries.forEach((entry, bit) => {
    raise(signatures, modules, [entry], 1n << BigInt(bit));
  });
  return signatures;
}

/** Whoever loads a module loads what it imports: bits are passed on to all imports. */
function raise(signatures, modules, from, bits) {
  const open = [...from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const signature = signatures.get(path);
    if ((signature | bits) === signature) continue;
    signatures.set(path, signature | bits);
    open.push(...modules.get(path).imports);
  }
}

/** The groups of modules with the same signature, the smallest first. */
function grouped(signatures, modules) {
  const groups = new Map();
  for (const [path, signature] of signatures) {
    const group = groups.get(signature) ?? { signature, paths: [], size: 0 };
    group.paths.push(path);
    group.size += modules.get(path).size;
    groups.set(signature, group);
  }
  return [...groups.values()].sort((a, b) => a.size - b.size);
}

function join(signatures, modules, one, other) {
  const joined = new Map(signatures);
  raise(joined, modules, [...one.paths, ...other.paths], one.signature | other.signature);
  return joined;
}

/** What all entry points load together, weighted. */
function costOf(signatures, modules, { all, hookBits }) {
  const sizes = new Map();
  for (const [path, signature] of signatures)
    sizes.set(signature, (sizes.get(signature) ?? FILE_COST) + modules.get(path).size);
  let cost = 0;
  for (const [signature, size] of sizes)
    for (let bit = 0, rest = signature; rest > 0n; bit++, rest >>= 1n)
      if (rest & 1n)
        cost += (all[bit] === MOMENT_WEIGHT && (signature & hookBits) !== 0n ? 0 : all[bit]) * size;
  return cost;
}
