/**
 * Excalidraw looks for others' laser pointers sixty times a second as long as the page lives, which keeps a processor awake and a
 * battery draining while nobody does anything. This makes it look ten times a second until somebody holds one. The code of
 * other files comes back as it is.
 */
export function withRestingLasers(code: string): string {
  // laser-trails.ts, LaserTrails.onFrame: minified and as written. Returning true ends the loop, which `stop` has not ended.
  return code.replace(
    /onFrame\(\)\s*\{\s*this\.updateCollabTrails\(\);?\s*\}/,
    `onFrame() {
  this.updateCollabTrails()
  for (const { pointer } of this.app.state.collaborators.values()) if (pointer?.tool === "laser") return false
  setTimeout(() => {
    if (!this.animationFrameHandler.targets.get(this).stopped) this.animationFrameHandler.start(this)
  }, 100)
  return true
}`,
  )
}
