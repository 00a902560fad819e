import type { MediaParticipant } from "@keymoot/core"

/**
 * Sounds of a member that are played. The sound of a screen counts only beside the screen, whose tile names the member:
 * nobody is heard whose tiles say that they are silent.
 */
export function heardOf({ published }: MediaParticipant): readonly ("microphone" | "screen-audio")[] {
  return (["microphone", "screen-audio"] as const).filter(
    (purpose) => published.has(purpose) && (purpose === "microphone" || published.has("screen")),
  )
}
