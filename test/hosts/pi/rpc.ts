import { spawn } from "node:child_process";

export type RpcEvent = Readonly<Record<string, unknown>>;

/**
 * Sends commands to pi's RPC mode, each after the one before is done: a prompt when the agent rests, others when they
 * are answered. After one with `during` the next is sent at once, or `after` an event; `once` all that was printed so far
 * says so;
 * `settles` is how often the agent rests before a prompt is done. Ends pi by closing its input, and fails when pi does.
 */
export async function rpc(
  [program, ...args]: readonly string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
  commands: readonly RpcEvent[],
  rested: string,
): Promise<RpcEvent[]> {
  const child = spawn(program ?? "", args, { ...where, stdio: ["pipe", "pipe", "pipe"], timeout: 60_000 });
  const events: RpcEvent[] = [];
  let [rest, errors, from] = ["", "", 0];
  let changed: () => void = () => undefined;
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") events.push(JSON.parse(line) as RpcEvent);
    changed();
  });
  let ended = false;
  const end = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", (code) => {
      ended = true;
      resolve(code);
      changed();
    });
  });
  const until = (done: (event: RpcEvent) => boolean, times = 1) =>
    untilAll((all) => all.slice(from).filter(done).length >= times);
  const untilAll = async (done: (events: readonly RpcEvent[]) => boolean) => {
    while (!done(events)) {
      if (ended)
        throw new Error(`pi ended: ${errors}\n${events.map((one) => JSON.stringify(one)).join("\n")}`);
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    }
  };
  for (const [index, { during, after, once, settles = 1, ...command }] of commands.entries()) {
    if (typeof after === "string") await until((event) => event["type"] === after);
    if (typeof once === "function") await untilAll(once as (events: readonly RpcEvent[]) => boolean);
    child.stdin.write(`${JSON.stringify({ id: `${index}`, ...command })}\n`);
    if (during === true) continue;
    const isTurn = command["type"] === "prompt" && !String(command["message"]).startsWith("/");
    if (isTurn) await until((event) => event["type"] === rested, Number(settles));
    else await until((event) => event["id"] === `${index}`);
    from = events.length;
  }
  child.stdin.end();
  const code = await end;
  if (code !== 0) throw new Error(`pi ended with ${code}: ${errors}`);
  return events;
}
