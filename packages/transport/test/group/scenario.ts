/**
 * Scenarios of the group layer as text: a command after `> `, and below it the members' reactions. Members are letters,
 * in the order of their ids. Views are numbered as they first appear, proposals are named `epoch.coordinator`.
 * Heartbeats and acknowledgements are omitted. Equal consecutive reactions of several members are on one line.
 *
 * Commands:
 * - `start N`: N members with links. `start N together`: they are in one view already, and how is not shown.
 * - `run MS`, `send A "text" [service]`, `crash A`, `leave A`, `partition A B | C`, `heal`.
 * - `mute A KIND [B]`: frames of this kind from A are lost, to B or to all.
 * - `together A B`: both send before either receives the other's message.
 * - `misorder A B`: as sequencer, A signs another order for B than for the others.
 */
import type { GroupOutput } from "../../src/view/group-types.ts"
import type { MemberId } from "../../src/members/ids.ts"
import { decodeFrame, type FramePayload, type Service } from "../../src/wire/frame.ts"
import type { Order, ProposalId } from "../../src/wire/messages.ts"
import { Cores, frameOf, nextFrame, numbered, type Member, textOf, type Sent } from "./cores.ts"

const LETTERS = "ABCDEFGH"
/** Time within which members with links install a view. */
const TOGETHER_MS = 400

/** @param text of an earlier run, or commands alone. @returns the commands, each with what follows from it */
export function play(text: string): string {
  const scenario = new Scenario()
  const [title = ""] = text.split("\n")
  const commands = text.split("\n").filter((line) => line.startsWith("> "))
  const parts = commands.map((command) => [command, ...scenario.run(command.slice(2))].join("\n"))
  return `${[title, ...parts].join("\n\n")}\n`
}

class Scenario {
  #cores = new Cores(0)
  #events: { readonly who: string; readonly what: string }[] = []
  readonly #views: string[] = []
  readonly #kept = new Map<Member, Order>()
  #groups: readonly string[] = []
  readonly #muted: { readonly from: string; readonly kind: string; readonly to: string | null }[] = []
  #misordered: { readonly liar: string; readonly victim: string } | null = null

  run(command: string): string[] {
    const [name, ...words] = command.match(/"[^"]*"|\S+/gu) ?? []
    this.#events = []
    this.#act(name!, words)
    return this.#lines()
  }

  #act(name: string, words: readonly string[]): void {
    const [first = "", second = "", third = "agreed"] = words
    switch (name) {
      case "start":
        return this.#start(Number(first), second === "together")
      case "run":
        return this.#cores.run(Number(first))
      case "send":
        return this.#cores.send(this.#member(first), second.slice(1, -1), third as Service)
      case "crash":
        return this.#cores.crash(this.#member(first))
      case "leave":
        this.#cores.step(this.#member(first), { type: "leave" })
        this.#cores.drain()
        return this.#cores.crash(this.#member(first))
      case "together":
        return this.#sendTogether(this.#member(first), this.#member(second))
      case "mute":
        return void this.#muted.push({ from: first, kind: second, to: words[2] ?? null })
      case "partition":
        return this.#partition(words.join("").split("|"))
      case "heal":
        return this.#partition([])
      case "misorder":
        this.#misordered = { liar: first, victim: second }
        return
      default:
        throw new Error(`no such command: ${name}`)
    }
  }

  #start(count: number, together: boolean): void {
    this.#cores = new Cores(count)
    this.#cores.watch = (member, output) => this.#note(member, output)
    for (const member of this.#cores.members) member.tamper = (sent, to) => this.#onWay(member, sent, letterOf(to))
    if (!together) return
    this.#cores.run(TOGETHER_MS)
    this.#events = []
  }

  #onWay(from: Member, sent: Sent, to: string): Sent | null {
    const lie = this.#misordered
    const sender = letterOf(from.id)
    if (!this.#connected(sender, to) || this.#isMuted(sender, sent, to)) return null
    if (lie?.liar !== sender || lie.victim !== to) return sent
    if (sent.type !== "frame" || sent.frame.kind !== "order") return sent
    const former = this.#kept.get(from)
    if (!former) {
      this.#kept.set(from, sent.frame.message)
      return null
    }
    this.#kept.delete(from)
    const message = { first: former.first, entries: [...sent.frame.message.entries, ...former.entries] }
    return { type: "frame", frame: frameOf(from, { kind: "order", message }, { view: sent.frame.view }) }
  }

  #isMuted(sender: string, sent: Sent, to: string): boolean {
    if (sent.type !== "frame") return false
    const { kind } = sent.frame
    return this.#muted.some((each) => each.from === sender && each.kind === kind && (each.to ?? to) === to)
  }

  #sendTogether(...members: readonly Member[]): void {
    const frames = members.map((member) => nextFrame(member, `of ${letterOf(member.id)}`, "agreed"))
    for (const [index, frame] of frames.entries()) this.#cores.step(members[index]!, { type: "multicast", frame })
    this.#cores.drain()
  }

  #connected(one: string, other: string): boolean {
    return this.#groups.length === 0 || this.#groups.some((group) => group.includes(one) && group.includes(other))
  }

  #partition(groups: readonly string[]): void {
    const before = this.#groups
    this.#groups = groups
    for (const member of this.#cores.members) {
      for (const other of this.#cores.members) {
        const [one, two] = [letterOf(member.id), letterOf(other.id)]
        const was = before.length === 0 || before.some((group) => group.includes(one) && group.includes(two))
        const is = this.#connected(one, two)
        if (member === other || was === is) continue
        const peer = other.id
        this.#cores.step(member, is ? { type: "linkUp", peer, incarnation: 1 } : { type: "linkDown", peer })
      }
    }
    this.#cores.drain()
  }

  #member(letter: string): Member {
    const found = this.#cores.members.find(({ id }) => letterOf(id) === letter)
    if (!found) throw new Error(`no member ${letter}`)
    return found
  }

  // Events

  #note(member: Member, output: GroupOutput): void {
    const what = this.#textOf(output)
    if (what !== null) this.#events.push({ who: letterOf(member.id), what })
  }

  #textOf(output: GroupOutput): string | null {
    switch (output.type) {
      case "sign":
        return `${describe(output.payload)} to ${lettersOf(output.to)}`
      case "send": {
        const frame = decodeFrame(output.bytes)!
        const what = frame.kind === "data" ? JSON.stringify(new TextDecoder().decode(frame.message.body)) : frame.kind
        return `sends ${what} of ${letterOf(frame.origin)} to ${lettersOf(output.to)}`
      }
      case "deliver": {
        const { frame } = output.delivery
        return `delivers ${JSON.stringify(textOf(frame))} of ${letterOf(frame.origin)} (${frame.service})`
      }
      case "view": {
        const { id, members, transitional } = output.view
        const together = transitional.length === members.length ? "" : `, together with ${lettersOf(transitional)}`
        return `installs view ${this.#numberOf(id)} {${lettersOf(members.map((each) => each.id))}}${together}`
      }
      case "flushRequest":
        return output.first ? `stops sending for ${nameOf(output.proposal)}` : null
      case "farewell":
        return `hears the goodbye of ${letterOf(output.member)}`
      case "fault":
        return `finds ${letterOf(output.member)} at fault: ${output.reason}`
      case "divergence":
        return `holds other messages than ${letterOf(output.from)}`
      case "transitional":
      case "unadmitted":
      case "heartbeat":
      case "acknowledgement":
      case "rosterMessage":
      case "rosterLost":
        return null
    }
  }

  #numberOf(view: string): number {
    if (!this.#views.includes(view)) this.#views.push(view)
    return this.#views.indexOf(view) + 1
  }

  #lines(): string[] {
    const lines: { who: string[]; readonly what: string }[] = []
    for (const { who, what } of this.#events) {
      const last = lines.at(-1)
      if (last?.what === what && !last.who.includes(who)) last.who.push(who)
      else lines.push({ who: [who], what })
    }
    return lines.map(({ who, what }) => `${who.join(", ")}: ${what}`)
  }
}

function describe(payload: FramePayload): string {
  switch (payload.kind) {
    case "propose":
      return `proposes ${nameOf(payload.message.proposal)} {${lettersOf(payload.message.members.map(({ id }) => id))}}`
    case "nack":
      return `refuses ${nameOf(payload.message.proposal)} for ${nameOf(payload.message.promised)}`
    case "sync":
      return `answers ${nameOf(payload.message.proposal)} with its SYNC`
    case "cut":
      return `sends the CUT of ${nameOf(payload.message.proposal)}`
    case "install":
      return `sends the INSTALL of ${nameOf(payload.message.proposal)}`
    case "order":
      return `orders ${placesOf(payload.message)}`
    case "leave":
      return "says goodbye"
    case "fetch":
      return "asks for missing frames"
    case "ackCut":
      return "has everything of the CUT"
    case "data":
    case "agreement":
    case "roster":
      return payload.kind
  }
}

/** Places count from 0. */
function placesOf({ first, entries }: Order): string {
  const last = first + entries.length - 1
  return last === first ? `place ${first}` : `places ${first} to ${last}`
}

function nameOf({ epoch, coordinator }: ProposalId): string {
  return `${epoch}.${letterOf(coordinator)}`
}

function lettersOf(ids: readonly MemberId[]): string {
  return ids.map(letterOf).sort().join(" ")
}

function letterOf(id: MemberId): string {
  return [...LETTERS].find((_, index) => numbered(index) === id) ?? "?"
}
