import type { UserIdleState } from "@excalidraw/excalidraw"
import type { Collaborator, ExcalidrawImperativeAPI, SocketId } from "@excalidraw/excalidraw/types"
import type { Member, SharedDocument } from "@keymoot/core"
import { calmly } from "../calmly.ts"
import { colourOnBoard, colourOnPage } from "../conference/colours.ts"
import { colourOf } from "../session/colours.ts"
import { readDoing } from "../session/presence.ts"
import type { Session } from "../session/session.ts"
import { type Presence, readPresence } from "./elements/fields.ts"
import { currentTheme } from "./useTheme.ts"

/** About thirty times a second, sent and drawn. */
export const POINTER_INTERVAL_MS = 33

/**
 * Shows where the others point, and publishes my pointer. The names come from the member list: nobody can point under
 * another's.
 */
export function sharePointers(session: Session, board: SharedDocument, api: ExcalidrawImperativeAPI) {
  let next: Presence | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  function publish(presence: Presence): void {
    next = presence
    timer ??= setTimeout(() => {
      timer = null
      // Beside the other presence data of this person: see `session/presence.ts`.
      if (next !== null) board.awareness.setLocalState({ ...board.awareness.getLocalState(), ...next })
    }, POINTER_INTERVAL_MS)
  }

  const others = calmly(() => api.updateScene({ collaborators: collaboratorsOf(session, board) }), POINTER_INTERVAL_MS)
  const showOthers = others.request

  board.awareness.on("change", showOthers)
  showOthers()
  return {
    publish,
    refresh: showOthers,
    close: () => {
      board.awareness.off("change", showOthers)
      if (timer !== null) clearTimeout(timer)
      others.cancel()
      const { pointer: _, button: __, selectedElementIds: ___, ...rest } = board.awareness.getLocalState() ?? {}
      board.awareness.setLocalState(rest)
    },
  }
}

function collaboratorsOf(session: Session, board: SharedDocument): Map<SocketId, Collaborator> {
  const collaborators = new Map<SocketId, Collaborator>()
  for (const [clientId, state] of board.awareness.getStates()) {
    const member = clientId === board.awareness.clientID ? undefined : board.memberOfClient(clientId)
    const presence = readPresence(state)
    if (member !== undefined && !member.self && presence !== null)
      collaborators.set(member.id as string as SocketId, {
        ...show(member, presence, colourOf(session.colours.get(), member.id)),
        ...(readDoing((state as { doing?: unknown }).doing)?.idle ? { userState: "idle" as UserIdleState.IDLE } : {}),
      })
  }
  return collaborators
}

function show(member: Member, { pointer, button, selectedElementIds }: Presence, colour: number): Collaborator {
  const background = colourOnBoard(colour, currentTheme())
  // A laser's trail is not part of the canvas that the dark theme inverts.
  const laserColor = colourOnPage(colour)
  return {
    id: member.id,
    username: member.name,
    color: { background, stroke: background },
    button,
    selectedElementIds,
    ...(pointer === null ? {} : { pointer: { ...pointer, laserColor } }),
  }
}
