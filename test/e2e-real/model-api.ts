import type { IncomingHttpHeaders } from 'node:http';
import type { StreamEvent } from './answer.ts';
import type { Message, Step } from './story.ts';

/** What a request asks of the model, whichever API it uses. */
export interface AskedModel {
  readonly conversation: string | null;
  readonly model: string;
  readonly messages: readonly Message[];
  /** The tools that the model may call. Side calls, for titles and the like, have none. */
  readonly tools: readonly string[];
  readonly isStream: boolean;
  /** The whole system prompt. */
  readonly system: string;
  /** The kind of thinking, and its tokens or effort. */
  readonly thinking: string;
}

/** An API of a model: how a request is read, and how a step of the script is answered. */
export interface ModelApi {
  /** The path of a request for a message. */
  readonly path: string;
  /** Its events have no names on the wire. */
  readonly isBare?: true;
  read(body: unknown, headers: IncomingHttpHeaders): AskedModel;
  /** The events that stream the answer; a paced text comes in pieces. */
  events(step: Step, asked: AskedModel): readonly StreamEvent[];
  /** Does this event have a piece of the answer? */
  isPiece(event: StreamEvent): boolean;
  /** Keeps the connection open without progress. */
  readonly ping: StreamEvent;
  /** The answer in one piece, for a request without a stream. */
  whole(step: Step, asked: AskedModel): unknown;
  /** The body of an error. */
  error(status: number, message: string): unknown;
  /** Answers requests for other paths; null: there is no such path. */
  other(method: string, path: string): unknown;
}
