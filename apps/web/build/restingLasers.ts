/**
 * Makes Excalidraw poll others' laser pointers ten times a second, and draw only while somebody holds one. Excalidraw
 * polls sixty times a second for the page's lifetime and redraws each time. That keeps a processor awake and drains a
 * battery while nothing happens. Returns the code of other files unchanged.
 */
export function withRestingLasers(code: string): string {
  // laser-trails.ts, LaserTrails.onFrame: minified and as written. Returning true ends the loop, which `stop` does not
  // end.
  return code.replace(
    /onFrame\(\)\s*\{\s*this\.updateCollabTrails\(\);?\s*\}/,
    `onFrame() {
  this.updateCollabTrails()
  const held = () => [...this.app.state.collaborators.values()].some(({ pointer }) => pointer?.tool === "laser")
  const look = () => {
    if (this.animationFrameHandler.targets.get(this).stopped) return
    if (held()) this.animationFrameHandler.start(this)
    else this.looking = setTimeout(look, 100)
  }
  if (held()) return false
  clearTimeout(this.looking)
  this.looking = setTimeout(look, 100)
  return true
}`,
  )
}
