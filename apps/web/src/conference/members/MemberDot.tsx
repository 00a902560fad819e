import type { Member } from "@keymoot/core"
import { colourOf } from "../../session/colours.ts"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { colourOnPage } from "../colours.ts"

/** A member's colour, the same as that of the cursor on the board. The name stands beside it. */
export function MemberDot({ session, id }: { readonly session: Session; readonly id: Member["id"] }) {
  const colours = useStore(session.colours)
  return (
    <span className="member-dot" style={{ backgroundColor: colourOnPage(colourOf(colours, id)) }} aria-hidden="true" />
  )
}
