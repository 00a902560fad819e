/**
 * Excalidraw looks for others' laser pointers sixty times a second as long as the page lives, and each time has the page drawn anew,
 * which keeps a processor awake and a battery draining while nobody does anything. This makes it look ten times a second, and
 * draw only while somebody holds one. The code of other files comes back as it is.
 */
export function withRestingLasers(code: string): string {
  // laser-trails.ts, LaserTrails.onFrame: minified and as written. Returning true ends the loop, which `stop` has not ended.
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
