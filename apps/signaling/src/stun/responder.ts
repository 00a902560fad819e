import { createSocket, type RemoteInfo, type Socket } from "node:dgram"
import { once } from "node:events"
import { isIPv6 } from "node:net"
import type { Logger } from "pino"
import type { Limits } from "../bounds/limits.ts"
import type { Metrics } from "../web/metrics.ts"
import { answerBinding } from "./binding.ts"
import { SourceRates } from "./source-rates.ts"
import { EVERY_ADDRESS, type StunConfig } from "./stun-config.ts"

const EVERY_IPV4_ADDRESS = "0.0.0.0"
/** Errors of a machine without IPv6. */
const NO_SUCH_FAMILY: ReadonlySet<string | undefined> = new Set(["EAFNOSUPPORT", "EADDRNOTAVAIL"])
/** Answers that the kernel has not taken yet. Beyond, requests are refused. */
const UNSENT_MAX = 256

/** The embedded STUN server. */
export interface StunResponder {
  /** Its UDP port, or null while another program has it. */
  port(): number | null
  close(): Promise<void>
}

interface Surroundings {
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Metrics
  readonly addressScale: number
  /** Another process of this server may have the port. */
  readonly isOneOfSeveral: boolean
}

type Place = Pick<StunConfig, "port" | "host">
type OnDatagram = (this: Socket, datagram: Uint8Array, source: RemoteInfo) => void

/**
 * Answers STUN Binding requests on UDP. If it cannot listen, the server goes on without STUN, and tries again every
 * `stunRetryMs`. So one of several processes takes over from another that has ended.
 */
export async function openStun(place: Place, surroundings: Surroundings): Promise<StunResponder> {
  const { limits, log, isOneOfSeveral } = surroundings
  const { port } = place
  const answer = answering(surroundings)
  const first = await bind(place, answer)
  let socket = first instanceof Error ? null : first
  let binding: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  const bindAgain = async () => {
    const bound = await bind(place, answer)
    binding = undefined
    if (bound instanceof Error) return
    socket = bound
    clearInterval(retry)
    log.info({ port }, "this process answers STUN now")
  }
  if (first instanceof Error) {
    const isTaken = first.code === "EADDRINUSE"
    if (isTaken && isOneOfSeveral) log.info({ port }, "another program has the port of STUN")
    else log.warn({ port }, isTaken ? portTaken(port) : `This server answers no STUN: ${first.message}.`)
    retry = setInterval(() => (binding ??= bindAgain()), limits.stunRetryMs).unref()
  }
  return {
    port: () => socket?.address().port ?? null,
    close: async () => {
      clearInterval(retry)
      await binding
      if (socket === null) return
      const closed = once(socket, "close")
      socket.close()
      socket = null
      await closed
    },
  }
}

function portTaken(port: number): string {
  return (
    `UDP port ${port} is in use: this server answers no STUN. Set STUN_PORT to another port, or to "off". ` +
    "If that program is a STUN server, name it in STUN_URLS."
  )
}

function answering({ limits, metrics, addressScale }: Surroundings): OnDatagram {
  const { burst, perSecond } = limits.stunPerNetwork
  const perNetwork = { burst: burst * addressScale, perSecond: perSecond * addressScale }
  const { stunTotal: total, stunNetworksMax: networksMax } = limits
  const rates = new SourceRates({ perNetwork, total, networksMax }, performance.now())
  return function answer(datagram, source) {
    const isRefused = !rates.take(source.address, performance.now()) || this.getSendQueueCount() >= UNSENT_MAX
    const bytes = isRefused ? null : answerBinding(datagram, source)
    metrics.stun(isRefused ? "refused" : bytes === null ? "malformed" : "answered")
    // A failure concerns this client only, which asks again.
    if (bytes !== null) this.send(bytes, source.port, source.address, () => {})
  }
}

async function bind({ port, host }: Place, answer: OnDatagram): Promise<Socket | NodeJS.ErrnoException> {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4", answer)
  const error = await new Promise<NodeJS.ErrnoException | null>((done) => {
    // It stays: an error without a listener ends the process.
    socket.on("error", done)
    socket.bind({ port, address: host }, () => done(null))
  })
  if (error === null) return socket
  socket.close()
  if (host === EVERY_ADDRESS && NO_SUCH_FAMILY.has(error.code)) return bind({ port, host: EVERY_IPV4_ADDRESS }, answer)
  return error
}
