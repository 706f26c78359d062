/**
 * Replaces `@modelcontextprotocol/server/_shims` in the bundle. The original contains the JSON schema validator Ajv
 * (160 kB, some 20 ms and 2 MB at every start). The SDK uses it only to check the user's answer to a server's question;
 * Continuo asks none that way, and its tools check their arguments themselves.
 */
import process from "node:process";

export { process };

// A class because the SDK calls it with `new`.
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("this server was built without a JSON schema validator");
  }
}
