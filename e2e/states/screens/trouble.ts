import { openSecurity } from "./room.ts"
import { press, type Screens, showPeople, unfold } from "../screen.ts"

/** Connections, the server, storage and keys that fail, and the dialogs that explain them. */
export const trouble: Screens = {
  unreachable: { sees: ["banner.here", { count: 1 }] },
  partitioned: { sees: ["banner.here", { count: 2 }] },
  "server unreachable": { sees: "banner.serverDown", wide: true },
  offline: { sees: ["banner.offline", { count: 2, names: ["Bob", "Eve"] }] },
  "storage full": { sees: "banner.storageFailing" },
  "board not sent": { sees: "banner.boardUnsent" },
  "not deleted": { sees: "chat.notDeleted", panel: true },
  "another key": { sees: ["alarm.changedKey", { name: "Bob" }], panel: true },
  relayed: { sees: "people.byServer", reach: showPeople },
  security: { story: "secured", sees: { css: ".popover .key-picture" }, reach: openSecurity, wide: true },
  settings: {
    story: "secured",
    sees: { css: ".shortcuts" },
    reach: async (at) => {
      await press(at, "button", "settings.title")
      await unfold(at, "shortcuts.title")
    },
    wide: true,
  },
  diagnostics: {
    story: "secured",
    sees: { css: ".diagnostics .facts" },
    reach: async (at) => {
      await press(at, "button", "settings.title")
      await press(at, "button", "diagnostics.title")
    },
  },
  invitation: {
    story: "secured",
    sees: { css: "[role=dialog] svg" },
    reach: async (at) => {
      await showPeople(at)
      await press(at, "button", "invitation.show")
    },
  },
  help: {
    story: "secured",
    sees: { css: "[role=dialog]" },
    reach: async ({ page }) => {
      await page.locator(".lock, header").first().focus()
      await page.keyboard.press("?")
    },
  },
}
