/**
 * Overlays of many members in virtual time: a bus, links that take time to open, partitions and crashes, and no layer
 * above. It measures when every neighbour table is right, and how messages spread.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { MemberId } from "../../members/ids.ts"
import { FULL_MESH_MAX } from "../../bounds/overlay-bounds.ts"
import type { GossipId } from "../../overlay/dissemination/plumtree.ts"
import { DISCOVERY } from "../../overlay/discovery/parameters.ts"
import type { LinkState } from "../../overlay/link-state/link-states.ts"
import { Overlay, type OverlayInput, type OverlayOutput } from "../../overlay/overlay.ts"
import { EventQueue } from "../random/event-queue.ts"
import { Random } from "../random/random.ts"
import { simulatedId } from "./world.ts"

const TICK_MS = 100
/** One-way delay of a link, delay of the bus, and time to open a link. */
const LINK_MS = 20
const BUS_MS = 40
const CONNECT_MS = 150

type Text = string
type Node = {
  readonly id: MemberId
  readonly overlay: Overlay<Text, LinkState>
  alive: boolean
  side: number
  readonly heard: Set<Text>
}

/** An error in the neighbour tables, or null if there is none. */
export type Trouble = string | null

export class SimulatedOverlay {
  /** Handshakes per advertiser that others began: the cost of discovery for it. */
  readonly requests = new Map<MemberId, number>()
  /** Copies sent of broadcast messages. */
  copies = 0
  readonly #events = new EventQueue()
  readonly #random: Random
  readonly #nodes = new Map<MemberId, Node>()
  readonly #links = new Set<string>()
  readonly #seed: number
  readonly #parameters: typeof DISCOVERY

  constructor(seed: number, parameters = DISCOVERY) {
    this.#seed = seed
    this.#parameters = parameters
    this.#random = new Random(seed)
  }

  get nowMs(): number {
    return this.#events.nowMs
  }

  get alive(): Node[] {
    return [...this.#nodes.values()].filter(({ alive }) => alive)
  }

  join(count: number): void {
    for (let i = 0; i < count; i++) {
      const id = simulatedId(`member ${this.#nodes.size}`, this.#seed)
      const overlay = new Overlay<Text, LinkState>(
        { id, incarnation: 1 },
        () => this.#random.next(),
        FULL_MESH_MAX,
        this.#parameters,
      )
      const node: Node = { id, overlay, alive: true, side: 0, heard: new Set() }
      this.#nodes.set(id, node)
      this.#events.after(this.#random.next() * TICK_MS, () => this.#tick(node))
    }
  }

  /** Without a goodbye: others notice the broken links only by missing messages. */
  crash(part: number): void {
    const alive = this.alive
    for (let i = Math.round(part * alive.length); i > 0; i--) {
      const [node] = alive.splice(this.#random.integer(alive.length), 1)
      node!.alive = false
    }
  }

  cut(sides: number): void {
    for (const [i, node] of this.alive.entries()) node.side = i % sides
  }

  heal(): void {
    for (const node of this.#nodes.values()) node.side = 0
  }

  /** Every member looks for paths to this sequencer. */
  elect(sequencer: MemberId): void {
    for (const node of this.alive) this.#input(node, { type: "sequencer", member: sequencer })
  }

  say(from: MemberId, text: Text): void {
    const id = bytesToHex(sha256(utf8ToBytes(text))) as GossipId
    this.#input(this.#nodes.get(from)!, { type: "broadcast", gossip: { id, message: text, bytes: text.length } })
    this.#nodes.get(from)!.heard.add(text)
  }

  tell(from: MemberId, to: MemberId, text: Text): void {
    this.#input(this.#nodes.get(from)!, { type: "unicast", to, message: text })
  }

  heardBy(text: Text): number {
    return this.alive.filter(({ heard }) => heard.has(text)).length
  }

  run(forMs: number): void {
    this.#events.runUntil(this.nowMs + forMs)
  }

  /** Virtual milliseconds until all tables are right and stay so for a second, or null if they are not in time. */
  settle(withinMs: number): number | null {
    const startMs = this.nowMs
    let rightSinceMs: number | null = null
    while (this.nowMs - startMs < withinMs) {
      this.run(100)
      if (this.trouble() !== null) rightSinceMs = null
      else rightSinceMs ??= this.nowMs
      if (rightSinceMs !== null && this.nowMs - rightSinceMs >= 1000) return rightSinceMs - startMs
    }
    return null
  }

  /**
   * Null if all tables are right. Then each member has the right number of neighbours, which agree and are reachable,
   * and paths to all on the same side.
   */
  trouble(): Trouble {
    for (const node of this.alive) {
      const same = this.alive.filter(({ side }) => side === node.side)
      const neighbours = node.overlay.neighbours()
      const least = Math.min(same.length - 1, this.#parameters.degreeMin)
      // A member that is cut off with a few waits for the others before it takes the few for all.
      const most = same.length <= FULL_MESH_MAX ? FULL_MESH_MAX : this.#parameters.degreeMax
      if (neighbours.length < least || neighbours.length > most) return `${node.id} has ${neighbours.length} neighbours`
      for (const peer of neighbours) {
        const other = this.#nodes.get(peer)!
        if (!other.alive || other.side !== node.side) return `${node.id} takes ${peer} for a neighbour`
        if (!other.overlay.neighbours().includes(node.id)) return `${peer} is not a neighbour of ${node.id}`
      }
      if (node.overlay.reachableCount !== same.length - 1) return `${node.id} reaches ${node.overlay.reachableCount}`
    }
    return null
  }

  /** Whether the present links connect all remaining members, regardless of what any member knows. */
  isConnected(): boolean {
    const alive = new Set(this.alive.map(({ id }) => id))
    const joined = new Set([...alive].slice(0, 1))
    for (const id of joined) {
      for (const peer of this.#nodes.get(id)!.overlay.neighbours()) if (alive.has(peer)) joined.add(peer)
    }
    return joined.size === alive.size
  }

  degrees(): number[] {
    return this.alive.map(({ overlay }) => overlay.neighbours().length)
  }

  /** Per member: neighbours that are nearer to the sequencer. A neighbour of the sequencer counts as having enough. */
  parents(): number[] {
    return this.alive.map(({ overlay }) => overlay.parents())
  }

  #tick(node: Node): void {
    if (!node.alive) return
    this.#input(node, { type: "tick" })
    this.#events.after(TICK_MS * (0.9 + 0.2 * this.#random.next()), () => this.#tick(node))
  }

  #input(node: Node, input: OverlayInput<Text, LinkState>): void {
    if (node.alive) for (const output of node.overlay.step(input, this.nowMs)) this.#output(node, output)
  }

  #output(node: Node, output: OverlayOutput<Text, LinkState>): void {
    switch (output.type) {
      case "advertise":
        for (const other of this.#nodes.values()) {
          this.#carry(node, other, BUS_MS, { type: "advertisement", from: node.id, eagerness: output.eagerness })
        }
        return
      case "signal": {
        const { to, message } = output
        if (message.kind === "request") this.requests.set(to, (this.requests.get(to) ?? 0) + 1)
        return this.#carry(node, this.#nodes.get(to)!, BUS_MS, { type: "signal", from: node.id, message })
      }
      case "connect":
        return this.#connect(node, this.#nodes.get(output.peer)!)
      case "disconnect":
        return this.#disconnect(node.id, output.peer)
      case "send": {
        const { to, message } = output
        if (message.type === "gossip" && message.message.kind === "gossip") this.copies++
        if (!this.#links.has(linkName(node.id, to))) return
        const peer = this.#nodes.get(to)!
        // The link acknowledges it.
        if (peer.alive) this.#carry(peer, node, 2 * LINK_MS, { type: "alive", peer: to })
        return this.#carry(node, peer, LINK_MS, { type: "message", from: node.id, message })
      }
      case "deliver":
        node.heard.add(output.message)
        return
      case "sign":
        return this.#input(node, { type: "signed", record: output.state })
      case "reachable":
      case "unreachable":
      case "record":
        return
    }
  }

  #carry(from: Node, to: Node, ms: number, input: OverlayInput<Text, LinkState>): void {
    if (from === to || from.side !== to.side) return
    // Equal delays in both directions, so that nothing overtakes earlier messages.
    this.#events.after(ms, () => {
      if (from.side === to.side) this.#input(to, input)
    })
  }

  /** Makes a link once both ends want it. */
  #connect(node: Node, peer: Node): void {
    if (!peer.overlay.wants(node.id) || this.#links.has(linkName(node.id, peer.id))) return
    this.#links.add(linkName(node.id, peer.id))
    this.#events.after(CONNECT_MS * (0.5 + this.#random.next()), () => {
      if (!this.#links.has(linkName(node.id, peer.id)) || !node.alive || !peer.alive) return
      if (node.side !== peer.side) return
      this.#input(node, { type: "linkUp", peer: peer.id })
      this.#input(peer, { type: "linkUp", peer: node.id })
    })
  }

  #disconnect(a: MemberId, b: MemberId): void {
    if (!this.#links.delete(linkName(a, b))) return
    this.#events.after(LINK_MS, () => this.#input(this.#nodes.get(b)!, { type: "linkDown", peer: a }))
  }
}

function linkName(a: MemberId, b: MemberId): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
