/** Direct paths of peer connections that lead through this process. It can let them die without a sign. */
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { networkInterfaces } from "node:os"
import type { Page } from "@playwright/test"

/** Treatment of each packet, in either direction. */
type PathQuality = {
  readonly delayMs?: number
  /** Share of the packets that are lost. */
  readonly loss?: number
}

/** Passes packets between the end that has a candidate and everybody who sends to it. */
class Forwarder {
  /** Whether packets to the target die, and those that it sends. */
  dead: { readonly there: boolean; readonly back: boolean }
  #isClosed = false
  readonly #quality: PathQuality
  readonly #target: { readonly address: string; readonly port: number }
  readonly #entry: Socket = createSocket("udp4")
  /** A socket for each sender, from which the target hears it. */
  readonly #exits = new Map<string, Socket>()
  readonly #onMedia: () => void

  constructor(address: string, port: number, isDead: boolean, quality: PathQuality, onMedia: () => void) {
    this.#target = { address, port }
    this.dead = { there: isDead, back: isDead }
    this.#quality = quality
    this.#onMedia = onMedia
  }

  async open(): Promise<number> {
    this.#entry.on("message", (packet, from) => {
      if (this.dead.there) return
      // RFC 7983: RTP and RTCP. Data channels and checks of connectivity have lower numbers.
      if (packet[0]! >= 128) this.#onMedia()
      const exit = this.#exit(from.address, from.port)
      this.#pass(() => exit.send(packet, this.#target.port, this.#target.address))
    })
    this.#entry.bind(0, this.#target.address)
    await once(this.#entry, "listening")
    return this.#entry.address().port
  }

  close(): void {
    this.#isClosed = true
    for (const socket of [this.#entry, ...this.#exits.values()]) socket.close()
  }

  /** Timers of one length end in order, so packets do not overtake each other. */
  #pass(send: () => void): void {
    const { delayMs = 0, loss = 0 } = this.#quality
    if (Math.random() < loss) return
    if (delayMs === 0) return send()
    setTimeout(() => {
      if (!this.#isClosed) send()
    }, delayMs)
  }

  #exit(address: string, port: number): Socket {
    const key = `${address}:${port}`
    const known = this.#exits.get(key)
    if (known) return known
    const exit = createSocket("udp4")
    exit.on("message", (packet) => {
      if (!this.dead.back) this.#pass(() => this.#entry.send(packet, port, address))
    })
    exit.bind(0, this.#target.address)
    this.#exits.set(key, exit)
    return exit
  }
}

export class MediaPaths {
  readonly #ofLinks: boolean
  readonly #quality: PathQuality
  /** Each with the page that sends to its target. */
  readonly #forwarders = new Map<Forwarder, Page>()
  #isBlocked = false
  /** Packets of sound and pictures that have passed since the paths died the last time. */
  packets = 0

  /** @param ofLinks whether the paths of links lead through here too, besides those of calls */
  constructor(ofLinks: boolean, quality: PathQuality = {}) {
    this.#ofLinks = ofLinks
    this.#quality = quality
  }

  /** Leads the paths to the candidates that this page gets. Those over TURN stay as they are. Call it before it loads. */
  async lead(page: Page): Promise<void> {
    await page.exposeFunction("forwarderTo", (address: string, port: number) => this.#forward(page, address, port))
    await page.addInitScript((ofLinks) => {
      const { forwarderTo } = globalThis as unknown as { forwarderTo: (to: string, port: number) => Promise<number> }
      const { addIceCandidate, setRemoteDescription } = RTCPeerConnection.prototype
      const forwarded = async (line: string): Promise<string | null> => {
        const fields = line.split(" ")
        if (fields[7] === "relay") return line
        if (fields[2]?.toLowerCase() !== "udp" || fields[4]!.includes(":")) return null
        fields[5] = `${await forwarderTo(fields[4]!, Number(fields[5]))}`
        return fields.join(" ")
      }
      // Connections of calls bundle, links do not.
      const leads = (connection: RTCPeerConnection): boolean =>
        ofLinks || connection.getConfiguration().bundlePolicy === "max-bundle"
      RTCPeerConnection.prototype.addIceCandidate = async function (init?: RTCIceCandidateInit | null) {
        if (!leads(this)) return Reflect.apply(addIceCandidate, this, [init])
        const candidate = init?.candidate ? await forwarded(init.candidate) : ""
        if (candidate !== null) await Reflect.apply(addIceCandidate, this, [{ ...init, candidate }])
      }
      // Each candidate in a description comes by itself, too.
      RTCPeerConnection.prototype.setRemoteDescription = function (init: RTCSessionDescriptionInit) {
        const sdp = leads(this) ? init.sdp?.replace(/^a=(?:candidate|end-of-candidates).*\r\n/gmu, "") : init.sdp
        return Reflect.apply(setRemoteDescription, this, [{ ...init, sdp }]) as Promise<void>
      }
    }, this.#ofLinks)
  }

  /**
   * From here on nothing passes on the paths that are there. Paths to new candidates work.
   * @param from if given, only what this page sends dies
   */
  die(from?: Page): void {
    for (const [forwarder, page] of this.#forwarders)
      forwarder.dead = {
        there: forwarder.dead.there || !from || page === from,
        back: forwarder.dead.back || !from || page !== from,
      }
    this.packets = 0
  }

  /** The same, and paths to new candidates do not work either. */
  block(): void {
    this.#isBlocked = true
    this.die()
  }

  /** Paths to candidates from here on work. */
  unblock(): void {
    this.#isBlocked = false
  }

  close(): void {
    for (const forwarder of this.#forwarders.keys()) forwarder.close()
  }

  async #forward(page: Page, address: string, port: number): Promise<number> {
    // Only the browser can resolve the names that hide an address. They are of this machine.
    const to = address.endsWith(".local") ? ownAddress() : address
    const forwarder = new Forwarder(to, port, this.#isBlocked, this.#quality, () => this.packets++)
    this.#forwarders.set(forwarder, page)
    return forwarder.open()
  }
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1"
}
