/** Small conferences in which some members have no path to each other: neither a direct one nor the server's relay. */
import { decodeFrame, decodeLinkMessage, decodeOverlayMessage } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { LinkedMember } from "../../src/testing/index.ts"
import { VirtualRoom } from "../flow/virtual-room.ts"

const TIMES = {
  heartbeatMs: 200,
  suspectMs: 2500,
  joinBatchMs: 50,
  resendMs: 300,
  proposalMs: 4000,
  aloneAfterMs: 60_000,
}
const LONG_MS = 60_000

class Small {
  readonly room = new VirtualRoom(TIMES)
  readonly texts: Record<string, string[]> = {}
  /** Sizes of the views that each member has begun to agree on. */
  readonly views: Record<string, number[]> = {}
  readonly reports: string[] = []
  readonly members: Record<string, LinkedMember> = {}

  constructor() {
    this.room.network.relays = false
  }

  async join(...names: readonly string[]): Promise<LinkedMember[]> {
    const joined = []
    for (const name of names) {
      const texts: string[] = (this.texts[name] = [])
      const views: number[] = (this.views[name] = [])
      const member = await this.room.join(name, (event) => {
        if (event.type === "agreeing") views.push(event.view.members.length)
        if (event.type === "security") this.reports.push(event.event.detail)
        if (event.type === "batch")
          for (const { payload } of event.messages) texts.push(new TextDecoder().decode(payload))
      })
      this.members[name] = member
      joined.push(member)
    }
    return joined
  }

  /** As a closed page: its connections end, and it says nothing more. */
  crash(name: string): void {
    const member = this.members[name]!
    member.crash()
    this.forget(name)
  }

  forget(name: string): void {
    this.room.members.splice(this.room.members.indexOf(this.members[name]!), 1)
    delete this.members[name]
  }

  get isTogether(): boolean {
    const all = Object.values(this.members)
    const ids = all.map(({ id }) => id).sort()
    return all.every(({ secured }) => secured?.members.map(({ id }) => id).join() === ids.join())
  }

  async together(withinMs = LONG_MS): Promise<void> {
    expect(await this.room.runUntil(() => this.isTogether, withinMs)).toBe(true)
  }

  /** Each says something, and all hear it in one order. */
  async allHear(about: string): Promise<void> {
    for (const [name, member] of Object.entries(this.members))
      void member.send(new TextEncoder().encode(`${about} of ${name}`))
    const said = (name: string) => this.texts[name]!.filter((text) => text.startsWith(about))
    const names = Object.keys(this.members)
    expect(await this.room.runUntil(() => names.every((name) => said(name).length === names.length), LONG_MS)).toBe(
      true,
    )
    for (const name of names) expect(said(name)).toEqual(said(names[0]!))
  }
}

test("two members without a path to each other share one view, key and order", async () => {
  const small = new Small()
  small.room.network.cut("ada", "bob")
  const [ada, bob, cleo] = (await small.join("ada", "bob", "cleo")) as [LinkedMember, LinkedMember, LinkedMember]
  await small.together()
  expect([ada.links.isDistant(bob.id), bob.links.isDistant(ada.id), ada.links.isDistant(cleo.id)]).toEqual([
    true,
    true,
    false,
  ])
  await small.allHear("word")
  expect(small.reports).toEqual([])
})

test("keeps all in the view when two members lose their path to each other", async () => {
  const small = new Small()
  const [ada, bob] = (await small.join("ada", "bob", "cleo", "dan")) as [LinkedMember, LinkedMember]
  await small.together()
  for (const views of Object.values(small.views)) views.splice(0)
  small.room.network.cut("ada", "bob")
  await small.room.run(1_000)
  await small.allHear("first")
  await small.room.run(20_000)
  expect(ada.links.isDistant(bob.id)).toBe(true)
  await small.allHear("second")
  small.room.network.mend("ada", "bob")
  expect(await small.room.runUntil(() => !ada.links.isDistant(bob.id) && !bob.links.isDistant(ada.id), 120_000)).toBe(
    true,
  )
  await small.allHear("third")
  expect(Object.values(small.views)).toEqual([[], [], [], []])
  expect(small.reports).toEqual([])
})

test("everybody returns to a plain full mesh when nobody misses a link any more", async () => {
  const small = new Small()
  await small.join("ada", "bob", "cleo")
  await small.together()
  const modes = () => Object.values(small.members).map(({ topology }) => topology.mode)
  expect(modes()).toEqual(["mesh", "mesh", "mesh"])
  small.room.network.cut("ada", "bob")
  await small.room.run(5_000)
  expect(modes()).toEqual(["helping", "helping", "helping"])
  small.room.network.mend("ada", "bob")
  expect(await small.room.runUntil(() => modes().every((mode) => mode === "mesh"), 120_000)).toBe(true)
  await small.room.run(20_000)
  expect(modes()).toEqual(["mesh", "mesh", "mesh"])
  // Records of the first time mislead nobody the second time.
  small.crash("cleo")
  await small.together()
  await small.join("dan")
  await small.together()
  small.room.network.cut("ada", "bob")
  await small.room.run(5_000)
  await small.allHear("again")
  expect(small.views["ada"]!.at(-1)).toBe(3)
})

test("members in a row reach each other where no single one has links with all", async () => {
  const small = new Small()
  const names = ["ada", "bob", "cleo", "dan"]
  for (const [i, a] of names.entries()) for (const b of names.slice(i + 2)) small.room.network.cut(a, b)
  await small.join(...names)
  await small.together()
  await small.allHear("word")
  expect(small.reports).toEqual([])
})

test("a newcomer with one link reaches all members", async () => {
  const small = new Small()
  await small.join("ada", "bob", "cleo", "dan")
  await small.together()
  for (const other of ["bob", "cleo", "dan"]) small.room.network.cut("eve", other)
  const [eve] = await small.join("eve")
  await small.together()
  expect(["bob", "cleo", "dan"].map((name) => eve!.links.isDistant(small.members[name]!.id))).toEqual([
    true,
    true,
    true,
  ])
  await small.allHear("word")
})

test("two members stay together when one that forwards for them crashes", async () => {
  const small = new Small()
  small.room.network.cut("ada", "bob")
  await small.join("ada", "bob", "cleo", "dan")
  await small.together()
  small.views["ada"]!.splice(0)
  small.crash("cleo")
  await small.together()
  await small.allHear("word")
  expect(small.views["ada"]).toEqual([3])
})

test("a crash is noticed as soon as in a full mesh while others miss a link", async () => {
  const small = new Small()
  small.room.network.cut("ada", "bob")
  await small.join("ada", "bob", "cleo", "dan")
  await small.together()
  small.views["ada"]!.splice(0)
  small.crash("dan")
  expect(await small.room.runUntil(() => small.views["ada"]!.length > 0, 2 * TIMES.suspectMs)).toBe(true)
  small.crash("bob")
  expect(await small.room.runUntil(() => small.views["ada"]!.length > 1, 2 * TIMES.suspectMs)).toBe(true)
  await small.together()
  expect(small.views["ada"]).toEqual([3, 2])
})

test("a goodbye arrives at members without a path to the one that leaves", async () => {
  const small = new Small()
  small.room.network.cut("ada", "bob")
  const [, bob] = await small.join("ada", "bob", "cleo")
  await small.together()
  small.views["ada"]!.splice(0)
  const left = bob!.leave()
  await small.room.run(300)
  await left
  small.forget("bob")
  await small.together()
  expect(small.views["ada"]).toEqual([2])
})

test("a member that forwards nothing separates nobody while another one forwards", async () => {
  const small = new Small()
  small.room.network.cut("ada", "bob")
  const [, , cleo] = await small.join("ada", "bob", "cleo", "dan")
  const { mesh, id } = cleo!
  const send = mesh.send.bind(mesh)
  mesh.send = (to, bytes, options) => {
    const message = decodeLinkMessage(bytes)
    const overlay = message?.type === "overlay" ? decodeOverlayMessage(message.bytes) : null
    const frame = overlay?.kind === "gossip" || overlay?.kind === "routed" ? decodeFrame(overlay.frame) : null
    return frame && frame.origin !== id ? true : send(to, bytes, options)
  }
  await small.together()
  await small.allHear("word")
})
