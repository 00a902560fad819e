import type { TFunction } from "i18next"
import type { SavedChat } from "../session/remains.ts"
import { save } from "../ui/save.ts"
import { chatAsText } from "./exportChat.ts"

export function saveChat({ id, ...chat }: SavedChat, t: TFunction, language: string): void {
  const text = chatAsText(chat, t, language)
  save(new Blob([text], { type: "text/plain;charset=utf-8" }), `keymoot-chat-${id.slice(0, 8)}.txt`)
}
