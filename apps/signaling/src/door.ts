import { type Failure, parse, type Reply, type RequestName, requests } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import { type Connection, type Handlers, refuse } from "./connection.ts"
import type { Limits } from "./limits.ts"
import { TokenBucket } from "./token-bucket.ts"

type Acknowledge = (reply: Reply<RequestName>) => void

/**
 * The one way in: everything a connection sends passes its rate limits, then its schema, then waits its turn, and is
 * answered exactly once. What carries no acknowledgement is not the protocol and is dropped.
 */
export function openDoor(connection: Connection, handlers: Handlers, limits: Limits, log: Logger): void {
  const mayPass = rateLimiter(limits)
  let waiting = 0
  let turn: Promise<void> = Promise.resolve()

  connection.onAny((name: unknown, ...rest: unknown[]) => {
    const acknowledge = rest.pop()
    if (!isAcknowledge(acknowledge)) return
    const reply: Acknowledge = (answer) => {
      if (!answer.ok) log.debug({ request: isRequest(name) ? name : "unknown", code: answer.code }, "refused")
      acknowledge(answer)
    }
    if (!mayPass(name) || waiting >= limits.requestsWaitingMax) return reply(tooFast)
    if (!isRequest(name) || rest.length !== 1) return reply(refuse("bad-request", "There is no such request."))
    const answer = prepare(connection, handlers, name, rest[0])
    if (typeof answer !== "function") return reply(answer)

    // One at a time, in the order sent: a leave must not overtake the enter that still waits for the database.
    waiting += 1
    turn = after(turn, async () => {
      reply(await answered(answer, log))
      waiting -= 1
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
): Failure | (() => Reply<N> | Promise<Reply<N>>) {
  const parsed = parse(requests[name].payload, payload)
  if (!parsed.ok) return refuse(parsed.code, parsed.message)
  // The table ties each name to its schema and its handler; TypeScript does not follow it through the index.
  const handle = handlers[name] as (connection: Connection, request: unknown) => Reply<N> | Promise<Reply<N>>
  return () => handle(connection, parsed.value)
}

async function answered(answer: () => Reply<RequestName> | Promise<Reply<RequestName>>, log: Logger) {
  try {
    return await answer()
  } catch (error) {
    log.error({ err: error }, "the store failed")
    return refuse("storage-failed", "The server could not reach its storage.")
  }
}

const tooFast = refuse("rate-limited", "Too many requests: slow down.")

function rateLimiter(limits: Limits): (name: unknown) => boolean {
  const nowMs = () => performance.now()
  const all = new TokenBucket(limits.requests, nowMs())
  const costly = new Map<unknown, TokenBucket>([
    ["room:advertise", new TokenBucket(limits.advertisements, nowMs())],
    ["conference:create", new TokenBucket(limits.creations, nowMs())],
  ])
  return (name) => all.take(nowMs()) && (costly.get(name)?.take(nowMs()) ?? true)
}

function isAcknowledge(value: unknown): value is Acknowledge {
  return typeof value === "function"
}

function isRequest(name: unknown): name is RequestName {
  return typeof name === "string" && Object.hasOwn(requests, name)
}
