import type { Socket } from "socket.io-client"
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
import { keepConnected } from "./persistent-socket.ts"

/** From a question to the end of the wait for its answer, connected or not. */
const ANSWER_TIMEOUT_MS = 10_000
/** Questions without an answer; a further one is refused with `rate-limited`. */
const UNANSWERED_MAX = 1_024

/** Codes of this end beside the server's: no answer came, or one that is not the protocol. */
export type Refusal = {
  readonly ok: false
  readonly code: "server-unreachable" | "bad-reply" | "bad-request" | "too-large" | "rate-limited"
  readonly message: string
}

export interface BootstrapConnection {
  /**
   * Asks now or, while there is no connection, as soon as there is one, in the order asked. `onReply` is called exactly
   * once and never before this function has returned.
   */
  ask<N extends RequestName>(name: N, request: Request<N>, onReply: (reply: Reply<N> | Refusal) => void): void
  /** Like `ask`, but of use only now: dropped while the server is down. Nobody hears whether it was refused. */
  tell<N extends RequestName>(name: N, request: Request<N>): void
  /** What was asked and not answered is answered `server-unreachable`; nothing else is reported any more. */
  close(): void
}

export interface BootstrapListener {
  /** At every change. */
  onState(state: "up" | "down"): void
  onDelivery<N extends Exclude<DeliveryName, "relay">>(name: N, delivery: Delivery<N>): void
  /** False if there is no such link here. */
  onRelay(delivery: Delivery<"relay">): boolean
}

/** A question on its way: sent on a connection, or held until there is one. */
interface Question {
  /** Asking it twice does what asking it once does. */
  readonly repeatable: boolean
  /** Of no use to a server that has forgotten us. */
  readonly told: boolean
  send(socket: Socket): void
  fail(): void
  sent: boolean
}

/**
 * What may be asked again when a connection is resumed and nobody knows what became of it: a repeated signal or
 * advertisement is dropped by its receiver as a replay.
 */
const REPEATABLE: ReadonlySet<RequestName> = new Set<RequestName>([
  "conference:get",
  "room:enter",
  "room:leave",
  "room:advertise",
  "signal",
  "turn:credentials",
])

/** Talks with the bootstrap server at an origin, through all its absences, until closed. */
export function connectBootstrap(origin: string, listener: BootstrapListener): BootstrapConnection {
  const questions = new Set<Question>()
  let live: Socket | undefined
  let state: "up" | "down" | undefined

  const becomeState = (next: "up" | "down") => {
    if (state === next) return
    state = next
    listener.onState(next)
  }
  const becomeLive = (socket: Socket) => {
    live = socket
    for (const question of questions) question.send(socket)
    becomeState("up")
  }
  const disconnect = keepConnected(origin, {
    onAttempt: (socket) => listen(socket, listener),
    onUp: becomeLive,
    onResumed: becomeLive,
    onSuspended: () => {
      live = undefined
      for (const question of questions) if (question.sent && !question.repeatable) question.fail()
    },
    onDown: () => {
      live = undefined
      becomeState("down")
      for (const question of questions) if (question.sent || question.told) question.fail()
    },
  })

  const put = <N extends RequestName>(
    name: N,
    request: Request<N>,
    told: boolean,
    onReply: (reply: Reply<N> | Refusal) => void,
  ) => {
    // The same check as at the server's door: a frame beyond its bounds would cost the connection, not just itself.
    const parsed = parse(requests[name].payload, request)
    if (!parsed.ok) return queueMicrotask(() => onReply(parsed))
    if (questions.size >= UNANSWERED_MAX) return queueMicrotask(() => onReply(tooMany))
    const question = openQuestion(questions, name, parsed.value, told, onReply)
    if (live !== undefined) question.send(live)
  }

  return {
    ask: (name, request, onReply) => put(name, request, false, onReply),
    tell: (name, request) => {
      // Also while the connection is suspended: then it waits for what comes of that.
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

function listen(socket: Socket, listener: BootstrapListener): void {
  for (const name of ["room:advertise", "signal"] as const) {
    socket.on(name, (...delivered: unknown[]) => {
      const parsed = parse(deliveries[name], delivered[0])
      if (parsed.ok) listener.onDelivery(name, parsed.value)
    })
  }
  socket.on("relay", (...delivered: unknown[]) => {
    const parsed = parse(deliveries.relay, delivered[0])
    const acknowledge = delivered.at(-1)
    const taken = parsed.ok && listener.onRelay(parsed.value)
    if (typeof acknowledge === "function") acknowledge({ taken } satisfies RelayAnswer)
  })
}

function openQuestion<N extends RequestName>(
  questions: Set<Question>,
  name: N,
  payload: unknown,
  told: boolean,
  onReply: (reply: Reply<N> | Refusal) => void,
): Question {
  const settle = (reply: Reply<N> | Refusal) => {
    clearTimeout(deadline)
    if (questions.delete(question)) onReply(reply)
  }
  const question: Question = {
    repeatable: REPEATABLE.has(name),
    told,
    sent: false,
    send: (socket) => {
      question.sent = true
      // The time-out only makes Socket.IO forget the question; the deadline below comes first.
      socket.timeout(ANSWER_TIMEOUT_MS).emit(name, payload, (error: Error | null, ...answer: unknown[]) => {
        settle(error === null ? readReply(name, answer[0]) : unreachable)
      })
    },
    fail: () => settle(unreachable),
  }
  const deadline = setTimeout(question.fail, ANSWER_TIMEOUT_MS)
  questions.add(question)
  return question
}

function readReply<N extends RequestName>(name: N, answer: unknown): Reply<N> | Refusal {
  const parsed = parse(requests[name].reply, answer)
  // The table ties each name to its reply; TypeScript does not follow it through the index.
  return parsed.ok ? (parsed.value as Reply<N>) : badReply
}

export const unreachable: Refusal = {
  ok: false,
  code: "server-unreachable",
  message: "The server cannot be reached.",
}
const badReply: Refusal = { ok: false, code: "bad-reply", message: "The server's answer cannot be understood." }
const tooMany: Refusal = { ok: false, code: "rate-limited", message: "Too many requests wait for an answer." }
