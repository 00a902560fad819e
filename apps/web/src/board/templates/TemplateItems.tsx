import { convertToExcalidrawElements, MainMenu } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import { LayoutTemplate, StickyNote } from "lucide-react"
import { useTranslation } from "react-i18next"
import { ELEMENTS_MAX } from "../sync/binding.ts"
import { addApart } from "../file/addBoard.ts"
import { shapesOf, type Template, TEMPLATES } from "./templates.ts"

/** Entries of the board's menu: a sticky note, and whole templates. Each is my own work, and can be undone. */
export function TemplateItems({ api }: { readonly api: ExcalidrawImperativeAPI | null }) {
  const { t } = useTranslation()

  function insert(template: Template): void {
    if (api === null) return
    const shapes = shapesOf(template, t) as unknown as Parameters<typeof convertToExcalidrawElements>[0]
    const elements = convertToExcalidrawElements(shapes)
    if (api.getSceneElements().length + elements.length <= ELEMENTS_MAX) addApart(api, elements)
  }

  return TEMPLATES.map((template) => (
    <MainMenu.Item
      key={template}
      icon={template === "sticky" ? <StickyNote aria-hidden /> : <LayoutTemplate aria-hidden />}
      onSelect={() => insert(template)}
    >
      {t(`templates.names.${template}`)}
    </MainMenu.Item>
  ))
}
