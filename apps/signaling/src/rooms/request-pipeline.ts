import { type Failure, parse, type Reply, type RequestName, requests } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import { type Answer, type Connection, type Handlers, Later, refuse } from "../connection.ts"
import type { Guard } from "../bounds/guard.ts"
import type { Limits } from "../bounds/limits.ts"
import type { Metrics } from "../web/metrics.ts"
import { TokenBucket } from "../bounds/token-bucket.ts"

type Acknowledge = (reply: Reply<RequestName>) => void

interface Surroundings {
  readonly guard: Guard
  readonly handlers: Handlers
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * The request pipeline of a connection. Each request passes the rate limits, then its schema, then waits for its turn,
 * and is answered exactly once. A packet without an acknowledgement is not part of the protocol and is dropped. Such
 * packets, malformed ones, refused ones and failed proofs count as nuisances, which have a rate.
 */
export function serveRequests(connection: Connection, surroundings: Surroundings): void {
  const { guard, handlers, limits, log, metrics } = surroundings
  const nuisances = new TokenBucket(limits.nuisances, performance.now())
  let waiting = 0
  let turn: Promise<void> = Promise.resolve()

  const countNuisance = () => {
    if (!nuisances.take(performance.now())) guard.onFlood()
  }
  connection.onAny((name: unknown, ...rest: unknown[]) => {
    if (guard.isEnded()) return
    const acknowledge = rest.pop()
    if (!isAcknowledge(acknowledge)) return countNuisance()
    const kind = isRequest(name) ? name : undefined
    const sinceMs = performance.now()
    const reply: Acknowledge = (answer) => {
      const request = kind ?? "unknown"
      metrics.answered(request, answer.ok ? "ok" : answer.code, (performance.now() - sinceMs) / 1000)
      if (!answer.ok) log.debug({ request, code: answer.code }, "refused")
      acknowledge(answer)
    }
    if (waiting >= limits.requestsWaitingMax || !guard.allowances.every((allowance) => allowance.take(kind))) {
      reply(tooFast)
      return countNuisance()
    }
    const answer = kind === undefined || rest.length !== 1 ? noRequest : prepare(connection, handlers, kind, rest[0])
    if (typeof answer !== "function") {
      reply(answer)
      return countNuisance()
    }

    // One at a time, in the order sent: a leave must not overtake an enter that still waits for the database.
    waiting += 1
    turn = after(turn, async () => {
      const settled = await answered(answer, log, metrics)
      waiting -= 1
      if (settled instanceof Later) void answered(() => settled.reply, log, metrics).then(reply)
      else reply(settled)
      if (!(settled instanceof Later) && !settled.ok && settled.code === "bad-proof") countNuisance()
    })
  })
}

async function after(former: Promise<void>, run: () => Promise<void>): Promise<void> {
  await former
  await run()
}

/** The parsed request, ready to run, or the reason for its refusal. */
function prepare<N extends RequestName>(
  connection: Connection,
  handlers: Handlers,
  name: N,
  payload: unknown,
): Failure | (() => Answer<N>) {
  const parsed = parse(requests[name].payload, payload)
  if (!parsed.ok) return refuse(parsed.code, parsed.message)
  // The table ties each name to its schema and its handler. TypeScript cannot follow that through the index.
  const handle = handlers[name] as (connection: Connection, request: unknown) => Answer<N>
  return () => handle(connection, parsed.value)
}

async function answered<A>(answer: () => A, log: Logger, metrics: Metrics): Promise<Awaited<A> | Failure> {
  try {
    return await answer()
  } catch (error) {
    metrics.storeFailed()
    log.error({ err: error }, "the store failed")
    return refuse("storage-failed", "The server could not reach its storage.")
  }
}

const noRequest = refuse("bad-request", "Unknown request.")
const tooFast = refuse("rate-limited", "Too many requests: slow down.")

function isAcknowledge(value: unknown): value is Acknowledge {
  return typeof value === "function"
}

function isRequest(name: unknown): name is RequestName {
  return typeof name === "string" && Object.hasOwn(requests, name)
}
