import type { ConferenceHandle, Member, Role } from "@keymoot/core"
import { applyAwarenessUpdate, Awareness, encodeAwarenessUpdate } from "y-protocols/awareness"
import { Doc } from "yjs"

export type Peer = { readonly member: Member; readonly awareness: Awareness; readonly handle: ConferenceHandle }

/** People whose awareness states reach each other at once, each from its own page, and nothing else. */
export function peopleWith(roles: Readonly<Record<string, Role>>): Readonly<Record<string, Peer>> {
  const all = Object.entries(roles).map(([name, role]) => {
    const member = { id: name, name, role, self: false } as unknown as Member
    return { member, awareness: new Awareness(new Doc()) }
  })
  for (const { awareness } of all)
    awareness.on("update", (_: unknown, origin: unknown) => {
      if (origin !== "local") return
      const update = encodeAwarenessUpdate(awareness, [awareness.clientID])
      for (const other of all) if (other.awareness !== awareness) applyAwarenessUpdate(other.awareness, update, "peer")
    })
  return Object.fromEntries(
    all.map(({ member, awareness }) => [member.name, { member, awareness, handle: handleOf(member, awareness, all) }]),
  )
}

function handleOf(self: Member, awareness: Awareness, all: readonly Omit<Peer, "handle">[]): ConferenceHandle {
  const memberOfClient = (client: number): Member | undefined => {
    const found = all.find((other) => other.awareness.clientID === client)?.member
    return found && { ...found, self: found === self }
  }
  return { self, document: () => ({ awareness, memberOfClient }) } as unknown as ConferenceHandle
}

export function setRole({ member }: Peer, role: Role): void {
  Object.assign(member, { role })
}

export function closeAll(people: Readonly<Record<string, Peer>>): void {
  for (const { awareness } of Object.values(people)) awareness.destroy()
}
