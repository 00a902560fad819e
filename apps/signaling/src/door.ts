import { type Failure, parse, type Reply, type RequestName, requests } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import { type Answer, type Connection, type Handlers, Later, refuse } from "./connection.ts"
import type { Guard } from "./guard.ts"
import type { Limits } from "./limits.ts"
import type { Metrics } from "./metrics.ts"
import { TokenBucket } from "./token-bucket.ts"

type Acknowledge = (reply: Reply<RequestName>) => void

interface Surroundings {
  readonly guard: Guard
  readonly handlers: Handlers
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * The one way in: everything a connection sends passes the rate limits, then its schema, then waits its turn, and is
 * answered exactly once. What carries no acknowledgement is not the protocol and is dropped. That, what is malformed and what
 * is refused by rate are borne only so often.
 */
export function openDoor(connection: Connection, surroundings: Surroundings): void {
  const { guard, handlers, limits, log, metrics } = surroundings
  const patience = new TokenBucket(limits.nuisances, performance.now())
  let waiting = 0
  let turn: Promise<void> = Promise.resolve()

  const bearNuisance = () => {
    if (!patience.take(performance.now())) guard.onFlood()
  }
  connection.onAny((name: unknown, ...rest: unknown[]) => {
    if (guard.isEnded()) return
    const acknowledge = rest.pop()
    if (!isAcknowledge(acknowledge)) return bearNuisance()
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
      return bearNuisance()
    }
    const answer = kind === undefined || rest.length !== 1 ? noRequest : prepare(connection, handlers, kind, rest[0])
    if (typeof answer !== "function") {
      reply(answer)
      return bearNuisance()
    }

    // One at a time, in the order sent: a leave must not overtake the enter that still waits for the database.
    waiting += 1
    turn = after(turn, async () => {
      const settled = await answered(answer, log, metrics)
      waiting -= 1
      if (settled instanceof Later) void settled.reply.then(reply)
      else reply(settled)
    })
  })
}

async function after(former: Promise<void>, run: () => Promise<void>): Promise<void> {
  await former
  await run()
}

/** The parsed request, ready to run, or why it is refused. */
function prepare<N extends RequestName>(
  connection: Connection,
  handlers: Handlers,
  name: N,
  payload: unknown,
): Failure | (() => Answer<N>) {
  const parsed = parse(requests[name].payload, payload)
  if (!parsed.ok) return refuse(parsed.code, parsed.message)
  // The table ties each name to its schema and its handler; TypeScript does not follow it through the index.
  const handle = handlers[name] as (connection: Connection, request: unknown) => Answer<N>
  return () => handle(connection, parsed.value)
}

async function answered(answer: () => Answer<RequestName>, log: Logger, metrics: Metrics) {
  try {
    return await answer()
  } catch (error) {
    metrics.storeFailed()
    log.error({ err: error }, "the store failed")
    return refuse("storage-failed", "The server could not reach its storage.")
  }
}

const noRequest = refuse("bad-request", "There is no such request.")
const tooFast = refuse("rate-limited", "Too many requests: slow down.")

function isAcknowledge(value: unknown): value is Acknowledge {
  return typeof value === "function"
}

function isRequest(name: unknown): name is RequestName {
  return typeof name === "string" && Object.hasOwn(requests, name)
}
