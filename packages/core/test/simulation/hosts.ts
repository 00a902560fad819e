/** Simulated members that tell each other what hosts have said. One of them is a host that says different things. */
import type { GroupConfig, MemberId, View } from "@keymoot/transport"
import { Random, type Sends, type World } from "@keymoot/transport/testing"
import { hexToBytes } from "@noble/hashes/utils.js"
import { decodeStatements, encodeStatements } from "../../src/admission/statements/statement-set.ts"
import { readStatements, type Standing } from "../../src/admission/statements/standing.ts"
import {
  decodeStatement,
  NO_STATEMENT,
  type SignedStatement,
  signStatement,
  type Statement,
  type StatementBody,
  type StatementId,
} from "../../src/admission/statements/statement.ts"
import type { DriverEvent } from "../../src/driver/driver-config.ts"
import { toyCryptography } from "./cryptography.ts"
import { DrivenMember } from "./members/driven-member.ts"
import type { Merge } from "./judges/statement-model.ts"

export const CREATOR = "a".repeat(64)
export const LIAR = "b".repeat(64)
export const NEWCOMER = "c".repeat(64)
const TIMES = { startsAtMs: 0, endsAtMs: 1, expiresAtMs: 2 }
export const GROUND = { creator: CREATOR, unnamed: "viewer", times: TIMES } as const
/** As in `entrance.ts`. */
const DIFFERING_MS = 500
const BRANCHES = 4
const DEPTH = 5
/** At a tick, while it lies. */
const LIES = 0.15

export type Story = {
  readonly appointment: SignedStatement
  /** The liar's: each is one of its stories from the beginning, and they part at different numbers. */
  readonly branches: readonly (readonly SignedStatement[])[]
  /** The creator removes the liar and admits a newcomer, by the liar's last statement that it counts. */
  readonly endings: ReadonlyMap<StatementId, readonly SignedStatement[]>
}

/** Made before the simulation, in which there is no waiting. */
export async function writeStory(seed: number): Promise<Story> {
  const random = new Random(seed)
  const scope = { conferenceId: new Uint8Array(16), descriptorHash: new Uint8Array(32) }
  const signer = { member: "a", certificate: new Uint8Array(1), sign: async () => new Uint8Array(64) } as never
  const say = (statement: Statement): Promise<SignedStatement> => signStatement(signer, scope, statement)
  const first = { issuer: CREATOR, office: NO_STATEMENT, number: 1, previous: NO_STATEMENT, heard: NO_STATEMENT }
  const appointment = await say({ ...first, body: { type: "role", subject: LIAR, role: "host" } })
  const branches: SignedStatement[][] = []
  while (branches.length < BRANCHES) {
    const branch = branches.length === 0 ? [] : random.pick(branches).slice(0, random.integer(DEPTH))
    while (branch.length < DEPTH) {
      const subject = Array.from(random.bytes(32), (byte) => byte.toString(16).padStart(2, "0")).join("")
      const previous = branch.at(-1)?.id ?? NO_STATEMENT
      const place = { issuer: LIAR, office: appointment.id, number: branch.length + 1, previous, heard: NO_STATEMENT }
      branch.push(await say({ ...place, body: { type: "removal", subject } }))
    }
    branches.push(branch)
  }
  const heads = [NO_STATEMENT, ...new Set(branches.flat().map(({ id }) => id))]
  const endings = new Map<StatementId, readonly SignedStatement[]>()
  for (const heard of heads) {
    const body: StatementBody = { type: "removal", subject: LIAR }
    const removal = await say({ ...first, number: 2, previous: appointment.id, heard, body })
    const ticket: StatementBody = {
      type: "ticket",
      subject: NEWCOMER,
      fingerprint: NEWCOMER,
      role: "editor",
      generation: NO_STATEMENT,
      expiresAtMs: 1,
    }
    endings.set(heard, [removal, await say({ ...first, number: 3, previous: removal.id, body: ticket })])
  }
  return { appointment, branches, endings }
}

export type HostsConfig = {
  readonly story: Story
  /** The statements that each member stores on its device, by its name. */
  readonly kept: Map<string, readonly SignedStatement[]>
  /** Every merge of the run, for `statement-model.ts`. */
  readonly merges: Merge[]
  /** Members that have seen the liar convicted; filled as the run goes. */
  readonly convicting: Set<string>
  readonly creator: string
  readonly liar: string
  /** Until then the liar lies. When all hold one standing again, the creator removes it. */
  readonly untilMs: number
}

/** A member that tells the others what hosts said over their links, as production does with notices. */
export class HostsMember extends DrivenMember {
  readonly #config: HostsConfig
  #differing: { readonly view: View; sinceMs: number } | null = null

  constructor(world: World, name: string, id: MemberId, config: GroupConfig, sends: Sends, hosts: HostsConfig) {
    const module = { module: "tgdh", postQuantum: "off" } as const
    super(world, name, id, config, { cryptography: toyCryptography(), ...module, sends })
    this.#config = hosts
    if (!hosts.kept.has(name)) this.#keep([hosts.story.appointment])
  }

  get #kept(): readonly SignedStatement[] {
    return this.#config.kept.get(this.name)!
  }

  get standing(): Standing {
    return readStatements(GROUND, this.#kept).standing
  }

  protected override get statementsDigest(): Uint8Array {
    return hexToBytes(this.standing.digest)
  }

  get #isAgreed(): boolean {
    const digests = [...this.#config.kept.values()].map((kept) => readStatements(GROUND, kept).standing.digest)
    return this.application.isOpen && new Set(digests).size === 1
  }

  protected override get isIdle(): boolean {
    return super.isIdle && this.standing.removed.has(LIAR)
  }

  protected override onLinkUp(peer: MemberId, incarnation: number, distant: boolean): void {
    super.onLinkUp(peer, incarnation, distant)
    this.#tell([peer])
  }

  protected override onEvent(event: DriverEvent): void | Promise<void> {
    if (event.type === "agreeing") this.#differing = null
    if (event.type !== "differing") return super.onEvent(event)
    this.#differing = { view: event.view, sinceMs: this.now() }
    this.#tell(event.view.members.map(({ id }) => id))
  }

  protected override onTick(): void {
    const { creator, liar, untilMs, story } = this.#config
    const { name, random } = this
    const nowMs = this.now()
    if (name === liar && nowMs < untilMs && random.chance(LIES)) {
      const told = random.pick(story.branches).slice(0, 1 + random.integer(DEPTH))
      this.#send([random.pick(this.#others())], [story.appointment, ...told])
    }
    if (name === creator && nowMs >= untilMs && !this.standing.removed.has(LIAR) && this.#isAgreed)
      this.#merge(story.endings.get(this.standing.heads.get(LIAR)!)!)
    const differing = this.#differing
    if (differing && nowMs - differing.sinceMs >= DIFFERING_MS) {
      differing.sinceMs = nowMs
      this.#tell(differing.view.members.map(({ id }) => id))
      this.driver.replaceView()
    }
    super.onTick()
  }

  protected override onNotice(body: Uint8Array): void {
    const statements = decodeStatements(body)
    if (!statements) throw new Error("a list of statements that cannot be read")
    this.#merge(statements.map((bytes) => decodeStatement(bytes)!))
  }

  #merge(more: readonly SignedStatement[]): void {
    const { digest } = this.standing
    this.#keep(more)
    if (this.standing.contradicting.has(LIAR)) this.#config.convicting.add(this.name)
    if (this.standing.digest === digest) return
    this.#tell(this.#others())
    this.driver.changeView()
  }

  #keep(received: readonly SignedStatement[]): void {
    const { kept: keptBy, merges } = this.#config
    const { name: member } = this
    const all = new Map([...(keptBy.get(member) ?? []), ...received].map((signed) => [signed.id, signed]))
    const { kept, standing } = readStatements(GROUND, [...all.values()])
    keptBy.set(member, kept)
    merges.push({ member, received, kept, digest: standing.digest })
  }

  #others(): MemberId[] {
    return this.roster.filter((id) => id !== this.id)
  }

  #tell(to: readonly MemberId[]): void {
    this.#send(to, this.#kept)
  }

  #send(to: readonly MemberId[], statements: readonly SignedStatement[]): void {
    const bytes = encodeStatements(statements.map((statement) => statement.bytes))
    const others = to.filter((each) => each !== this.id)
    this.after(0.2, () => this.transmit(others, { type: "notice", bytes }))
  }
}
