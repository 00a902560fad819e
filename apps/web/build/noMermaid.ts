/** In place of Excalidraw's importer of Mermaid diagrams, one megabyte compressed: its entry in the menu is hidden. */
export function parseMermaidToExcalidraw(): Promise<never> {
  return Promise.reject(new Error("Mermaid diagrams are not offered here."))
}
