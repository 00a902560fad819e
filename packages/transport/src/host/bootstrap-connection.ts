import type { Socket } from "socket.io-client"
import type { Sink } from "../network/shared/sink.ts"
import {
  type Delivery,
  type DeliveryName,
  deliveries,
  parse,
  type RelayAnswer,
  type Reply,
  type Request,
  type RequestName,
  requests,
} from "../signaling-protocol/index.ts"
import { isShort, keepConnected } from "./persistent-socket.ts"

/** Timeout from a request to its answer, with or without a connection. */
const ANSWER_TIMEOUT_MS = 10_000
/** Unanswered requests. A further one is refused with `rate-limited`. */
const UNANSWERED_MAX = 1_024

/**
 * Codes that this end adds to the server's: no answer came, or an answer violates the protocol, or the server speaks
 * another version.
 */
export type Refusal = {
  readonly ok: false
  readonly code: "server-unreachable" | "other-version" | "bad-reply" | "bad-request" | "too-large" | "rate-limited"
  readonly message: string
}

export interface BootstrapConnection {
  /**
   * Sends a request now, or once there is a connection, in the order of calls. `onReply` is called exactly once, and
   * never before this function has returned.
   */
  ask<N extends RequestName>(name: N, request: Request<N>, onReply: (reply: Reply<N> | Refusal) => void): void
  /** Like `ask`, but dropped while the server is down. A refusal is not reported. */
  notify<N extends RequestName>(name: N, request: Request<N>): void
  /** Answers pending requests with `server-unreachable`. Nothing else is reported any more. */
  close(): void
}

export type ServerNews =
  /**
   * Reported at every change. `id`: the server's id of a connection that is up. It stays the same when the connection is
   * resumed.
   */
  | { readonly type: "state"; readonly state: "up" | "down"; readonly id?: string | undefined }
  | { readonly type: "delivery"; readonly delivery: Delivery<DeliveryName> }

/** Returns true for a relayed frame whose link is here. */
export type ServerSink = Sink<ServerNews, boolean | void>

/** A pending request: sent on a connection, or queued until there is one. */
interface Question {
  /** Idempotent: may be sent again. */
  readonly repeatable: boolean
  /** Sent by `notify`: useless to a server that has lost our state. */
  readonly oneWay: boolean
  send(socket: Socket): void
  fail(why?: Refusal): void
  sent: boolean
}

/**
 * Requests that may be repeated when a connection is resumed and their outcome is unknown. Receivers drop a repeated
 * signal or advertisement as a replay.
 */
const REPEATABLE: ReadonlySet<RequestName> = new Set<RequestName>([
  "conference:get",
  "conference:end",
  "room:enter",
  "room:leave",
  "room:advertise",
  "signal",
  "ice:servers",
])

/** Keeps a connection to the bootstrap server at an origin until closed, and reconnects after each loss. */
export function connectBootstrap(origin: string, sink: ServerSink): BootstrapConnection {
  const questions = new Set<Question>()
  let live: Socket | undefined
  let state: "up" | "down" | undefined

  const becomeState = (next: "up" | "down", id?: string) => {
    if (state === next) return
    state = next
    sink.take({ type: "state", state: next, id })
  }
  const becomeLive = (socket: Socket) => {
    live = socket
    for (const question of questions) question.send(socket)
    becomeState("up", isShort(socket.id) ? socket.id : undefined)
  }
  const disconnect = keepConnected(origin, (event) => {
    switch (event.type) {
      case "attempt":
        return listen(event.socket, sink)
      case "up":
      case "resumed":
        return becomeLive(event.socket)
      case "suspended":
        live = undefined
        for (const question of questions) if (question.sent && !question.repeatable) question.fail()
        return
      case "down":
        live = undefined
        becomeState("down")
        for (const question of questions) if (question.sent || question.oneWay) question.fail()
        return
      case "otherVersion":
        for (const question of questions) question.fail(otherVersion)
    }
  })

  const put = <N extends RequestName>(
    name: N,
    request: Request<N>,
    oneWay: boolean,
    onReply: (reply: Reply<N> | Refusal) => void,
  ) => {
    // The same check as in the server: a frame beyond its bounds would end the connection, not only fail itself.
    const parsed = parse(requests[name].payload, request)
    if (!parsed.ok) return queueMicrotask(() => onReply(parsed))
    if (questions.size >= UNANSWERED_MAX) return queueMicrotask(() => onReply(tooMany))
    const question = openQuestion(questions, name, parsed.value, oneWay, onReply)
    if (live !== undefined) question.send(live)
  }

  return {
    ask: (name, request, onReply) => put(name, request, false, onReply),
    notify: (name, request) => {
      // Queued also while the connection is suspended, until it is resumed or lost.
      if (state === "up") put(name, request, true, () => {})
    },
    close: () => {
      disconnect()
      live = undefined
      queueMicrotask(() => {
        for (const question of questions) question.fail()
      })
    },
  }
}

function listen(socket: Socket, sink: ServerSink): void {
  for (const name of ["room:advertise", "signal"] as const) {
    socket.on(name, (...delivered: unknown[]) => {
      const parsed = parse(deliveries[name], delivered[0])
      if (parsed.ok) sink.take({ type: "delivery", delivery: parsed.value })
    })
  }
  socket.on("relay", (...delivered: unknown[]) => {
    const parsed = parse(deliveries.relay, delivered[0])
    const acknowledge = delivered.at(-1)
    const taken = parsed.ok && sink.take({ type: "delivery", delivery: parsed.value }) === true
    if (typeof acknowledge === "function") acknowledge({ taken } satisfies RelayAnswer)
  })
}

function openQuestion<N extends RequestName>(
  questions: Set<Question>,
  name: N,
  payload: unknown,
  oneWay: boolean,
  onReply: (reply: Reply<N> | Refusal) => void,
): Question {
  const settle = (reply: Reply<N> | Refusal) => {
    clearTimeout(deadline)
    if (questions.delete(question)) onReply(reply)
  }
  const question: Question = {
    repeatable: REPEATABLE.has(name),
    oneWay,
    sent: false,
    send: (socket) => {
      question.sent = true
      // This timeout only makes Socket.IO drop the request. The deadline below comes first.
      socket.timeout(ANSWER_TIMEOUT_MS).emit(name, payload, (error: Error | null, ...answer: unknown[]) => {
        settle(error === null ? readReply(name, answer[0]) : unreachable)
      })
    },
    fail: (why = unreachable) => settle(why),
  }
  const deadline = setTimeout(() => question.fail(), ANSWER_TIMEOUT_MS)
  questions.add(question)
  return question
}

function readReply<N extends RequestName>(name: N, answer: unknown): Reply<N> | Refusal {
  const parsed = parse(requests[name].reply, answer)
  // The table ties each name to its reply, which TypeScript cannot follow through the index.
  return parsed.ok ? (parsed.value as Reply<N>) : badReply
}

export const unreachable: Refusal = {
  ok: false,
  code: "server-unreachable",
  message: "The server cannot be reached.",
}
const otherVersion: Refusal = {
  ok: false,
  code: "other-version",
  message: "The server speaks another version of the protocol.",
}
const badReply: Refusal = { ok: false, code: "bad-reply", message: "The server's answer cannot be understood." }
const tooMany: Refusal = { ok: false, code: "rate-limited", message: "Too many requests wait for an answer." }
