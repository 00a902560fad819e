import { randomBytes } from "node:crypto"
import * as native from "node-datachannel"
import { startServer } from "@keymoot/signaling"
import { expect, onTestFinished, vi } from "vitest"
import { createBootstrap } from "../../src/host/bootstrap.ts"
import { conferenceIdOf, descriptorHashOf } from "../../src/signaling-protocol/index.ts"
import { ChannelEnds } from "../../src/host/channel-ends.ts"
import type {
  BootstrapEvent,
  ConnectionId,
  HostEvent,
  HostFactory,
  PeerCommand,
  RoomAddress,
} from "../../src/host/index.ts"
import type { FrameConnection, ConnectionListener } from "../../src/host/frame-connection.ts"
import { MovedChannels } from "../../src/host/moved-channels.ts"
import { WebRtcConnection } from "../../src/host/webrtc-connection.ts"
import { createPeers } from "../../src/host/host.ts"
import { nodeWebRtc } from "../../src/node/index.ts"
import { proveRoom, roomVerifier } from "../../src/room/room-key-pair.ts"
import { LoopbackNetwork } from "../../src/testing/loopback/loopback.ts"

/** Two links that are to be each other's ends, as far as `listeners` hear. */
export type PairFactory = (
  listeners: readonly [ConnectionListener, ConnectionListener],
) => Promise<readonly [FrameConnection, FrameConnection]>

const webRtc = nodeWebRtc(native)

export const dataChannels: PairFactory = async ([one, other]) => {
  const links: WebRtcConnection[] = []
  const options = { iceServers: [], transportPolicy: "all", wrtc: webRtc } as const
  const later = (index: number) => (signal: Parameters<WebRtcConnection["signal"]>[0]) =>
    void queueMicrotask(() => links[index]?.signal(signal))
  links.push(new WebRtcConnection({ ...options, ...bound(one), initiator: true, signals: { take: later(1) } }))
  links.push(new WebRtcConnection({ ...options, ...bound(other), initiator: false, signals: { take: later(0) } }))
  onTestFinished(() => {
    for (const link of links) link.destroy()
  })
  return [links[0]!, links[1]!]
}

/** Channels apart from their connections, as with a worker between them: what crosses does so a turn later. */
export const movedChannels: PairFactory = async ([one, other]) => {
  const partner: { link?: HostConnection } = {}
  const first = new HostConnection(hostOfMoved, one, (event) => partner.link?.forward(event))
  const second: HostConnection = new HostConnection(hostOfMoved, other, (event) => first.forward(event))
  partner.link = second
  second.open({ type: "peer-open", connectionId: second.number, initiator: false })
  first.open({ type: "peer-open", connectionId: first.number, initiator: true })
  return [first, second]
}

const hostOfMoved: HostFactory = (onEvent) => {
  const later = (task: () => void): void => void setImmediate(task)
  const ends = new ChannelEnds({ engine: { take: onEvent }, page: { take: (news) => later(() => moved.onNews(news)) } })
  const moved = new MovedChannels(
    (link, channel) => ends.add(link, channel),
    (link) => later(() => ends.close(link)),
  )
  const peers = createPeers((event) => later(() => ends.pass(event)), { wrtc: webRtc, movedChannels: moved })
  onTestFinished(() => peers.close())
  return {
    post: (command) => {
      if (!ends.post(command)) later(() => peers.post(command as PeerCommand))
    },
    close: () => peers.close(),
  }
}

/** Through a real server, over real sockets. */
export const serverRelay: PairFactory = async ([one, other]) => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  const descriptor = randomBytes(32)
  const room = conferenceIdOf(descriptorHashOf(descriptor))
  // The server relays for members who prove that they hold the invitation only.
  const secret = randomBytes(32)
  const members = [one, other].map(() => {
    const events: BootstrapEvent[] = []
    const bootstrap = createBootstrap((event) => events.push(event))
    onTestFinished(() => bootstrap.close())
    return { events, bootstrap, address: randomBytes(16).toString("hex") as RoomAddress }
  })
  const [creator] = members
  creator!.bootstrap.post({ type: "bootstrap-connect", server: server.url })
  creator!.bootstrap.post({
    type: "conference-create",
    server: server.url,
    request: 1,
    id: room,
    descriptor,
    verifier: roomVerifier(secret),
    expiresAtMs: Date.now() + 3_600_000,
  })
  await vi.waitFor(() => answered(creator!.events, 1), { timeout: 30_000 })
  for (const { bootstrap, address, events } of members) {
    if (bootstrap !== creator!.bootstrap) bootstrap.post({ type: "bootstrap-connect", server: server.url })
    await vi.waitFor(() => expect(connectionOf(events)).toBeDefined(), { timeout: 30_000 })
    const proof = proveRoom(secret, room, address, connectionOf(events)!)
    bootstrap.post({ type: "room-enter", server: server.url, request: 2, room, address, proof })
    await vi.waitFor(() => answered(events, 2), { timeout: 30_000 })
  }
  const open = (index: 0 | 1, listener: ConnectionListener): FrameConnection =>
    members[index]!.bootstrap.openRelay!(
      {
        type: "relay-open",
        connectionId: 1 as ConnectionId,
        server: server.url,
        room,
        to: members[1 - index]!.address,
        circuit: 7,
        answering: index === 1,
      },
      listener,
    )
  return [open(0, one), open(1, other)]
}

function connectionOf(events: readonly BootstrapEvent[]): string | undefined {
  return events.findLast((event) => event.type === "bootstrap-state")?.connection
}

function answered(events: readonly BootstrapEvent[], request: number): void {
  const reply = events.find((event) => event.type === "bootstrap-reply" && event.request === request)
  if (reply?.type !== "bootstrap-reply" || !reply.reply.ok) throw new Error("not yet")
}

/** The runtime of tests and simulations. */
export const inMemory: PairFactory = async ([one, other]) => {
  const network = new LoopbackNetwork({ schedule: setImmediate })
  const partner: { link?: HostConnection } = {}
  const first = new HostConnection(network.createHost("one"), one, (event) => partner.link?.forward(event))
  const second: HostConnection = new HostConnection(network.createHost("other"), other, (event) => first.forward(event))
  partner.link = second
  second.open({ type: "peer-open", connectionId: second.number, initiator: false })
  first.open({ type: "peer-open", connectionId: first.number, initiator: true })
  return [first, second]
}

export const inMemoryRelay: PairFactory = async ([one, other]) => {
  const network = new LoopbackNetwork({ schedule: setImmediate })
  const ends = [one, other].map(
    (listener, index) => new HostConnection(network.createHost(`host ${index}`), listener, () => undefined),
  )
  const server = "https://meet.example"
  const room = "00".repeat(16)
  const addresses = ["aa", "bb"].map((byte) => byte.repeat(16) as RoomAddress)
  for (const [index, { host }] of ends.entries())
    host.post({ type: "room-enter", server, request: 1, room, address: addresses[index]! })
  for (const [index, end] of ends.entries()) {
    const answering = index === 1
    end.open({
      type: "relay-open",
      connectionId: end.number,
      server,
      room,
      to: addresses[1 - index]!,
      circuit: 7,
      answering,
    })
  }
  return [ends[0]!, ends[1]!]
}

/** A link on the other side of the port. */
class HostConnection implements FrameConnection {
  readonly number = 1 as ConnectionId
  readonly host
  readonly #listener: ConnectionListener
  readonly #onSignal: (event: HostEvent) => void

  constructor(createHost: HostFactory, listener: ConnectionListener, onSignal: (event: HostEvent) => void) {
    this.#listener = listener
    this.#onSignal = onSignal
    this.host = createHost((event) => this.#handle(event))
  }

  open(command: PeerCommand): void {
    this.host.post(command)
  }

  forward(event: HostEvent): void {
    if (event.type === "peer-signal")
      this.host.post({ type: "peer-signal", connectionId: this.number, signal: event.signal })
  }

  send(frames: readonly Uint8Array[], reliability: "reliable" | "unreliable"): void {
    this.host.post({ type: "peer-send", connectionId: this.number, reliability, frames })
  }

  close(): void {
    this.host.post({ type: "peer-close", connectionId: this.number })
  }

  destroy(): void {
    this.close()
  }

  #handle(event: HostEvent): void {
    if (event.type === "peer-signal") this.#onSignal(event)
    else if (event.type === "peer-connected")
      this.#listener.onConnected(event.localFingerprint, event.remoteFingerprint)
    else if (event.type === "peer-frames")
      for (const frame of event.frames) this.#listener.onFrame(frame, event.reliability)
    else if (event.type === "peer-closed") this.#listener.onClosed(event.reason, event.byPeer)
  }
}

function bound(listener: ConnectionListener): ConnectionListener {
  return {
    onConnected: (local, remote) => listener.onConnected(local, remote),
    onFrame: (frame, reliability) => listener.onFrame(frame, reliability),
    onClosed: (reason, byPeer) => listener.onClosed(reason, byPeer),
  }
}
