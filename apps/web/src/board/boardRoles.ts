/**
 * Gives Excalidraw's controls the names and roles that they lack, in its own words. What axe finds in it otherwise:
 *
 * - its menu button has no name (https://github.com/excalidraw/excalidraw/issues/11297);
 * - its dialogs are named by an id that nothing has, and its rows of colours are nameless modal dialogs, though they are
 *   neither modal nor dialogs (https://github.com/excalidraw/excalidraw/issues/11961);
 * - the scales of an exported picture have no labels (https://github.com/excalidraw/excalidraw/pull/11878).
 *
 * It also claims to be the foot of the whole page, and puts the focus of its help on links that `board.css` hides: without
 * focus in it Escape would not close it.
 */
export function keepRolesComplete(pane: HTMLElement, menuLabel: string): () => void {
  // Dialogs come into the page's body, a moment after Excalidraw says that they are open.
  const observer = new MutationObserver(() => completeRoles(pane, menuLabel))
  observer.observe(document.body, { childList: true, subtree: true })
  completeRoles(pane, menuLabel)
  return () => observer.disconnect()
}

function completeRoles(pane: HTMLElement, menuLabel: string): void {
  pane.querySelector(".main-menu-trigger:not([aria-label])")?.setAttribute("aria-label", menuLabel)
  pane.querySelector("footer[role=contentinfo]")?.setAttribute("role", "none")
  for (const colours of document.querySelectorAll(".color-picker-container[role=dialog]")) {
    colours.setAttribute("role", "group")
    colours.removeAttribute("aria-modal")
    name(colours, colours.parentElement?.previousElementSibling)
  }
  for (const dialog of document.querySelectorAll('.Modal[aria-labelledby="dialog-title"]')) {
    dialog.removeAttribute("aria-labelledby")
    name(dialog, dialog.querySelector("h2, h3"))
  }
  for (const scale of document.querySelectorAll("input[name=exportScale]:not([aria-label])"))
    name(scale, scale.parentElement)
  const help = document.querySelector<HTMLElement>(".excalidraw-modal-container .HelpDialog .Modal__content")
  if (help && !help.contains(document.activeElement)) help.focus()
}

function name(control: Element, visible: Element | null | undefined): void {
  if (visible?.textContent) control.setAttribute("aria-label", visible.textContent)
}
