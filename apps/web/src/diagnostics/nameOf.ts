import type { Member } from "@keymoot/core"
import type { LogLine } from "../session/log.ts"

export type NameOf = (id: Member["id"]) => string

const ID_CHARACTERS = 8

/** Names people with the first digits of their ids, by which the copied text calls them. */
export function nameFrom(lines: readonly LogLine[], members: readonly Member[]): NameOf {
  const names = new Map<Member["id"], string>()
  for (const line of lines) {
    if (line.kind !== "view") continue
    for (const { id, name } of [...line.joined, ...line.returned, ...line.left]) names.set(id, name)
  }
  for (const { id, name } of members) names.set(id, name)
  return (id) => {
    const short = id.slice(0, ID_CHARACTERS)
    const name = names.get(id)
    return name ? `${name} (${short})` : short
  }
}
