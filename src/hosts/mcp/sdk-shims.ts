/**
 * Replaces `@modelcontextprotocol/server/_shims` in the bundle. The original brings the JSON schema validator Ajv
 * (160 kB, some 20 ms and 2 MB at every start), which the SDK uses only to check what a person answered to a server's
 * question. Continuo asks none, and its tools check their arguments themselves.
 */
import process from "node:process";

export { process };

// A class because the SDK calls it with `new`.
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("this server was built without a JSON schema validator");
  }
}
