/**
 * The colour of a member, the same on every screen. The hue is Excalidraw's (`clients.ts`, getClientColor), which draws
 * the member's cursor: so a name in the list and a cursor on the board have one colour.
 */
function memberHue(id: string): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (hash << 5) - hash + id.charCodeAt(i)
  return (Math.abs(hash) % 37) * 10
}

export function memberColour(id: string): string {
  return `hsl(${memberHue(id)} 62% 52%)`
}
