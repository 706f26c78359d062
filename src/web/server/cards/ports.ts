import { connect } from "node:net";
import type { CardPort } from "../../api/cards.ts";

/** A server on this machine answers within a millisecond; one that does not is not worth a wait. */
const LIMIT_MS = 200;
/** Development servers listen on either. Never another machine. */
const ADDRESSES = ["127.0.0.1", "::1"];

export async function lookAtPorts(items: readonly string[]): Promise<CardPort[]> {
  const ports = items.map(Number).filter((port) => Number.isInteger(port) && port > 0 && port < 65_536);
  return Promise.all(
    ports.map(async (port) => {
      const found = await Promise.all(ADDRESSES.map((address) => isOpen(address, port)));
      return { port, isOpen: found.includes(true) };
    }),
  );
}

/** Connects and closes at once; nothing is sent. */
function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(LIMIT_MS, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
