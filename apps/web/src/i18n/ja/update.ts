import type { TextsWithoutOne } from "../plurals.ts"

export const part: TextsWithoutOne["part"] = {
  broken: "ページのこの部分を読み込めませんでした。",
  hint: "ページを再読み込みしてください。今の場所に戻ります。",
  load: "再読み込み",
  later: "あとで",
}

export const update: TextsWithoutOne["update"] = {
  ready: "Keymoot の新しいバージョンがあります。",
  load: "更新",
  hint: "会議は今の状態から続きます。",
  forms: "送信していないフォームの内容は消えます。",
  later: "あとで",
  weAreOlder: "このページを再読み込みしてください。ほかの人は新しいバージョンを使っています。",
  reload: "再読み込み",
  theyAreOlder_other: "{{names}}さんは古いバージョンを使っています。再読み込みを頼んでください。",
  manyAreOlder_other: "{{count}}人が古いバージョンを使っています。再読み込みを頼んでください。",
}
