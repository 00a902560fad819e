/** Conferences of many, with everything real but line and clock. */
import type { DriverEvent } from "../../src/driver/driver-config.ts"
import type { LinkedMember } from "../../src/testing/index.ts"
import { VirtualRoom } from "../flow/virtual-room.ts"

/** As at default settings; joins are collected for as long as so many views would take. */
const times = {
  heartbeatMs: 200,
  suspectMs: 2500,
  joinBatchMs: 400,
  resendMs: 300,
  proposalMs: 4000,
  aloneAfterMs: 60_000,
}

export class Crowd {
  readonly room: VirtualRoom
  /** The deliveries of each, by member. */
  readonly texts = new Map<LinkedMember, string[]>()
  /** The deliveries of each in each of its views, by the view's id, first view first. */
  readonly views = new Map<LinkedMember, Map<string, string[]>>()
  /** All reports, at any member. */
  readonly security: string[] = []
  readonly #alive = new Set<LinkedMember>()

  /** `meshMax`: so many have a link with everybody; 24 unless given. */
  constructor(meshMax?: number) {
    this.room = new VirtualRoom(times, meshMax)
  }

  get members(): readonly LinkedMember[] {
    return [...this.#alive]
  }

  async join(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.#joinOne(`member ${this.room.members.length}`)
  }

  async #joinOne(name: string): Promise<void> {
    const texts: string[] = []
    const views = new Map<string, string[]>()
    const member = await this.room.join(name, (event) => this.#note(texts, views, event))
    this.texts.set(member, texts)
    this.views.set(member, views)
    this.#alive.add(member)
  }

  #note(texts: string[], views: Map<string, string[]>, event: DriverEvent): void {
    if (event.type === "security") this.security.push(`${event.event.code}: ${event.event.detail}`)
    if (event.type === "agreeing" && !views.has(event.view.id)) views.set(event.view.id, [])
    if (event.type !== "batch") return
    const delivered = event.messages.map(({ payload }) => new TextDecoder().decode(payload))
    texts.push(...delivered)
    views.get(event.view.id)!.push(...delivered)
  }

  crash(members: readonly LinkedMember[]): void {
    for (const member of members) {
      member.crash()
      this.#alive.delete(member)
      this.room.members.splice(this.room.members.indexOf(member), 1)
    }
  }

  /** All who are alive are in one view of just them, and all have proved its key. */
  get isTogether(): boolean {
    const ids = this.members.map(({ id }) => id).sort()
    const views = this.members.map(({ secured }) => secured)
    return views.every((view) => view?.id === views[0]?.id && view?.members.map(({ id }) => id).join() === ids.join())
  }

  get degrees(): number[] {
    return this.members.map(({ links }) => links.neighbours().length)
  }

  say(member: LinkedMember, text: string): void {
    void member.send(new TextEncoder().encode(text))
  }
}
