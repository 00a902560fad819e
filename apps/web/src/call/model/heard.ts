import type { MediaParticipant } from "@keymoot/core"

/**
 * Sounds of a member that are played. The sound of a screen counts only beside the screen, whose tile names the member
 * and shows that it has sound. So no sound is played that no tile shows.
 */
export function heardOf({ published }: MediaParticipant): readonly ("microphone" | "screen-audio")[] {
  return (["microphone", "screen-audio"] as const).filter(
    (purpose) => published.has(purpose) && (purpose === "microphone" || published.has("screen")),
  )
}
