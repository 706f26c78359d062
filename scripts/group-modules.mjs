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
  const weights = weightsOf(entries.map(weightOf), hookBits);
  const needed = neededBy(modules, entries);
  const free = new Set(
    [...modules].flatMap(([path, { builtins }]) => ((needed.get(path) & hookBits) === 0n ? [] : builtins)),
  );
  // Modules with the same signature never part: from here on they count as one.
  const { nodes, nodeOf } = collapsed(needed, modules, free);
  const signatures = new Map([...nodes].map(([name, { paths }]) => [name, needed.get(paths[0])]));
  const alone = new Set(processes.map((path) => needed.get(path)));
  const settled = new Set();
  for (;;) {
    const all = grouped(signatures, nodes);
    const bySignature = new Map(all.map((group) => [group.signature, group]));
    const groups = all.filter(({ signature }) => !alone.has(signature));
    const smallest = groups.find(({ signature }) => !settled.has(signature));
    if (smallest === undefined) break;
    let best;
    for (const other of groups) {
      // A hook loads nothing that it does not need, whatever that would save elsewhere.
      if (other === smallest || (other.signature & hookBits) !== (smallest.signature & hookBits)) continue;
      const bits = smallest.signature | other.signature;
      const raised = raise(signatures, nodes, [...smallest.paths, ...other.paths], bits);
      const cost = addedCost(raised, signatures, nodes, bySignature, weights);
      if (cost < (best?.cost ?? 0)) best = { raised, cost };
    }
    if (best === undefined) settled.add(smallest.signature);
    else for (const [name, signature] of best.raised) signatures.set(name, signature);
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
    const raised = raise(signatures, modules, [entry], 1n << BigInt(bit));
    for (const [path, signature] of raised) signatures.set(path, signature);
  });
  return signatures;
}

/** Whoever loads a module loads what it imports: bits are passed on to all imports. Returns the signatures that change. */
function raise(signatures, modules, from, bits) {
  const raised = new Map();
  const open = [...from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const signature = raised.get(path) ?? signatures.get(path);
    if ((signature | bits) === signature) continue;
    raised.set(path, signature | bits);
    open.push(...modules.get(path).imports);
  }
  return raised;
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

/**
 * What the change adds to all that the entry points load, weighted. Thousands of joins are tried for each one that is made,
 * so only the groups that a join changes are looked at.
 */
function addedCost(raised, signatures, modules, groups, weight) {
  const changed = new Map();
  const groupAt = (signature) => {
    const { paths = [], size = 0 } = groups.get(signature) ?? {};
    const now = changed.get(signature) ?? {
      before: paths.length,
      oldSize: size,
      members: paths.length,
      size,
    };
    changed.set(signature, now);
    return now;
  };
  for (const [path, signature] of raised) {
    const { size } = modules.get(path);
    const left = groupAt(signatures.get(path));
    left.members--;
    left.size -= size;
    const entered = groupAt(signature);
    entered.members++;
    entered.size += size;
  }
  let cost = 0;
  for (const [signature, { before, oldSize, members, size }] of changed)
    cost += weight(signature) * (fileCost(members, size) - fileCost(before, oldSize));
  return cost;
}

const fileCost = (members, size) => (members === 0 ? 0 : FILE_COST + size);

/** How much a byte of a group counts: the weights of all entry points that load it. */
function weightsOf(all, hookBits) {
  const known = new Map();
  return (signature) => {
    const key = signature.toString(32); // V8 hashes only 64 bits of a bigint
    const found = known.get(key);
    if (found !== undefined) return found;
    let sum = 0;
    const isInHooks = (signature & hookBits) !== 0n;
    for (let bit = 0, rest = signature; rest > 0n; bit++, rest >>= 1n)
      if (rest & 1n) sum += all[bit] === MOMENT_WEIGHT && isInHooks ? 0 : all[bit];
    known.set(key, sum);
    return sum;
  };
}
