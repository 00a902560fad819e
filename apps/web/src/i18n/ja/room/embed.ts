import type { TextsWithoutOne } from "../../plurals.ts"

export const embed: TextsWithoutOne["embed"] = {
  inside: "別のウェブサイトの中に表示しています。そのサイトは、ここで書いたり描いたりした内容を読めません。",
  insideOf: "{{host}} の中に表示しています。そのサイトは、ここで書いたり描いたりした内容を読めません。",
  refused: "Keymoot はこのウェブサイトの中に表示できません",
  refusedHint: "このウェブサイトは、サーバーで許可されていません。Keymoot を別のタブで開いてください。",
  open: "新しいタブで開く",
}
