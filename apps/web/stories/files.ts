import type { Member, SharedFile } from "@keymoot/core"

/** The text of the message that shares a picture of this name. */
export const ticketOf = (name: string): string => `${name} ${"0".repeat(32)}`

/** A picture that is on this device. */
export function openShared(ticket: string, owner: Member["id"]): SharedFile {
  const name = ticket.slice(0, -33)
  const content = drawn()
  return {
    id: `${ticket} ${owner}`,
    ticket,
    name,
    type: "image/png",
    sizeBytes: 48_000,
    owner,
    keptBytes: async () => 48_000,
    fetch: async () => {},
    stream: () => new ReadableStream(),
    blob: () => content,
    remove: async () => {},
  }
}

async function drawn(): Promise<Blob> {
  const canvas = new OffscreenCanvas(960, 540)
  const context = canvas.getContext("2d")!
  context.fillStyle = "#cfe3f5"
  context.fillRect(0, 0, 960, 540)
  context.fillStyle = "#8a5a2b"
  for (let row = 0; row < 6; row++) context.fillRect(120 + row * 40, 60 + row * 70, 640 - row * 60, 50)
  return canvas.convertToBlob({ type: "image/png" })
}
