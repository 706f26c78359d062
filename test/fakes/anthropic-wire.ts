import type { IncomingHttpHeaders } from "node:http";

/** One content block as it is on the wire; the fields that tests use are typed, the rest is kept. */
export interface Block {
  type: string;
  text?: string;
  content?: string | Block[];
  [field: string]: unknown;
}

export interface WireMessage {
  role: string;
  content: string | Block[];
}

export interface MessagesBody {
  model: string;
  messages: WireMessage[];
  system?: string | Block[];
  tools?: Array<{ name: string; [field: string]: unknown }>;
  stream?: boolean;
  [field: string]: unknown;
}

export interface RecordedRequest {
  /** Index among the POST /v1/messages requests of this server, or -1 for any other request. */
  index: number;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body exactly as sent, for byte comparisons. */
  raw: string;
  /** Undefined when the body is not JSON (a HEAD probe, say). */
  body: MessagesBody | undefined;
  time: number;
}

/** A request to POST /v1/messages: always has a body. */
export type ModelRequest = RecordedRequest & { body: MessagesBody };
