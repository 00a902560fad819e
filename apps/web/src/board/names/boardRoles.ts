export type BoardNames = {
  readonly menu: string
  /** In words; null if it has none. */
  readonly colour: (value: string) => string | null
}

/**
 * Gives Excalidraw's controls the names and roles that they lack, in its own words. Axe reports these faults:
 * - its menu button has no name (https://github.com/excalidraw/excalidraw/issues/11297);
 * - its dialogs refer to an id that does not exist (https://github.com/excalidraw/excalidraw/issues/11961);
 * - its rows of colours are nameless modal dialogs, though they are neither modal nor dialogs (the same issue);
 * - a radio button's name is only the tooltip of its label;
 * - a colour's name is its number, and the button for a colour without shades is empty;
 * - the scales of an exported picture have no labels (https://github.com/excalidraw/excalidraw/pull/11878).
 * It also claims to be the footer of the whole page. Its help focuses links that `board.css` hides: without focus in
 * the help, Escape would not close it.
 */
export function keepRolesComplete(pane: HTMLElement, names: BoardNames): () => void {
  // Dialogs appear in the page's body, a moment after Excalidraw reports them as open.
  const observer = new MutationObserver(() => completeRoles(pane, names))
  observer.observe(document.body, { childList: true, subtree: true })
  completeRoles(pane, names)
  return () => observer.disconnect()
}

function completeRoles(pane: HTMLElement, { menu, colour }: BoardNames): void {
  pane.querySelector(".main-menu-trigger:not([aria-label])")?.setAttribute("aria-label", menu)
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
  for (const radio of document.querySelectorAll("label[title] > input[type=radio]:not([aria-label])"))
    radio.setAttribute("aria-label", radio.parentElement?.title ?? "")
  for (const button of document.querySelectorAll<HTMLElement>(".color-picker__button[title]:not([aria-label])")) {
    const found = colour(button.title)
    if (found !== null) button.setAttribute("aria-label", found)
  }
  for (const empty of document.querySelectorAll("button.color-picker__button:empty"))
    empty.setAttribute("aria-hidden", "true")
  const help = document.querySelector<HTMLElement>(".excalidraw-modal-container .HelpDialog .Modal__content")
  if (help && !help.contains(document.activeElement)) help.focus()
}

function name(control: Element, visible: Element | null | undefined): void {
  if (visible?.textContent) control.setAttribute("aria-label", visible.textContent)
}
