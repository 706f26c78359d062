// The smallest hook process that can hand its payload to a living process: `node ask.cjs SOCKET EVENT`.
const { readSync, writeSync } = require("node:fs");
const { connect } = require("node:net");

const chunks = [];
for (let got = 1; got > 0; ) {
  const chunk = Buffer.allocUnsafe(65536);
  got = readSync(0, chunk, 0, chunk.length, null);
  chunks.push(chunk.subarray(0, got));
}
const socket = connect(process.argv[2]);
socket.end(`${process.argv[3]}\n${Buffer.concat(chunks)}`);
socket.on("data", (answer) => writeSync(1, answer));
// A product would answer the hook itself here.
socket.on("error", () => {
  process.exitCode = 1;
});
