import type { MeshConfig } from "../../src/index.ts"
import { LoopbackNetwork } from "../../src/testing/loopback/loopback.ts"
import { Random } from "../../src/testing/random/random.ts"
import { TestIdentity, TestMember } from "./member.ts"

/** Members on one loopback network, sorted so that each offers to those after it. */
export class TestConference {
  readonly network = new LoopbackNetwork()
  readonly random: Random
  readonly members: TestMember[] = []
  readonly #identities: TestIdentity[]
  nowMs = 0

  constructor(identities: number, seed = 1) {
    this.random = new Random(seed)
    this.#identities = Array.from({ length: identities }, () => new TestIdentity(this.random))
    this.#identities.sort((a, b) => (a.member < b.member ? -1 : 1))
  }

  identity(index: number): TestIdentity {
    return this.#identities[index]!
  }

  /** `name` is the host's on the network. */
  join(name: string, identity: TestIdentity, overrides: Partial<MeshConfig> = {}): TestMember {
    const member = new TestMember(this.network.createHost(name), this.random, identity, overrides)
    member.mesh.tick(this.nowMs)
    this.members.push(member)
    return member
  }

  /** Time in which nobody looks at the clock. */
  async skip(ms: number): Promise<void> {
    this.nowMs += ms
    await this.pass(100)
  }

  async pass(ms: number): Promise<void> {
    await this.network.run()
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      this.nowMs += 100
      for (const { mesh } of this.members) mesh.tick(this.nowMs)
      await this.network.run()
    }
  }
}

/** Two members, named "low" and "high" on the network, with a link between them. */
export async function linkedPair(
  seed = 1,
  { serverRelays = true } = {},
): Promise<{ conference: TestConference; low: TestMember; high: TestMember }> {
  const conference = new TestConference(2, seed)
  conference.network.relays = serverRelays
  const low = conference.join("low", conference.identity(0))
  const high = conference.join("high", conference.identity(1))
  await conference.pass(1_000)
  if (low.links.length !== 1 || high.links.length !== 1) throw new Error("the pair has not linked")
  return { conference, low, high }
}
