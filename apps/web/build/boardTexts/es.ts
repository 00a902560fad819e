import type { BoardTexts } from "../boardTexts.ts"

/** Spanish. They say "tú", or address nobody. */
export const es: BoardTexts = {
  labels: {
    changeStroke: "Cambiar el color del trazo",
    changeBackground: "Cambiar el color del fondo",
    arrowhead_crowfoot_many: "Pata de gallo (varios)",
    arrowhead_crowfoot_one: "Pata de gallo (uno)",
    arrowhead_crowfoot_one_or_many: "Pata de gallo (uno o varios)",
    more_options: "Más opciones",
    arrowtypes: "Tipo de flecha",
    arrowtype_sharp: "Flecha angulosa",
    arrowtype_round: "Flecha curva",
    arrowtype_elbowed: "Flecha acodada",
    clearCanvas: "Vaciar el lienzo",
    toggleGrid: "Mostrar u ocultar la cuadrícula",
    loadScene: "Cargar un dibujo desde un archivo",
    showFonts: "Mostrar el selector de tipos de letra",
    theme: "Tema",
    link: {
      hint: "Escribe o pega aquí tu enlace",
      goToElement: "Ir al objeto enlazado",
    },
    lineEditor: { editArrow: "Editar flecha" },
    followUs: "Síguenos",
    discordChat: "Chat en Discord",
    zoomToFitViewport: "Ajustar a la ventana",
    zoomToFitSelection: "Ajustar a la selección",
    zoomToFit: "Mostrar todo",
    installPWA: "Instalar Excalidraw en este dispositivo (PWA)",
    autoResize: "Adaptar el ancho al texto",
    imageCropping: "Recorte de la imagen",
    unCroppedDimension: "Tamaño sin recortar",
    copyElementLink: "Copiar enlace al objeto",
    linkToElement: "Enlazar con un objeto",
    wrapSelectionInFrame: "Poner un marco a la selección",
  },
  elementLink: {
    title: "Enlazar con un objeto",
    desc: "Haz clic en una forma del lienzo o pega un enlace.",
    notFound: "El objeto enlazado no está en el lienzo.",
  },
  library: {
    hint_emptyLibrary:
      "Selecciona un elemento en el lienzo para añadirlo aquí, o instala abajo una biblioteca del repositorio público.",
    hint_emptyPrivateLibrary: "Selecciona un elemento del lienzo para añadirlo aquí.",
  },
  search: {
    title: "Buscar en el lienzo",
    noMatch: "No se ha encontrado nada…",
    singleResult: "resultado",
    multipleResults: "resultados",
    placeholder: "Buscar texto en el lienzo…",
  },
  buttons: {
    copyLink: "Copiar enlace",
    systemMode: "Modo del sistema",
    embed: "Activar o desactivar la incrustación",
  },
  alerts: {
    clearReset: "Esto limpiará todo el lienzo. ¿Quieres continuar?",
    loadSceneOverridePrompt: "Cargar este dibujo reemplazará el que tienes. ¿Quieres continuar?",
    collabStopOverridePrompt:
      "Detener la sesión sobrescribirá tu dibujo anterior guardado en este dispositivo. ¿Quieres continuar?\n\n(Si quieres conservar ese dibujo, cierra simplemente la pestaña del navegador.)",
    imageDoesNotContainScene:
      "Esta imagen no parece contener datos de escena. ¿Has activado la inserción de la escena al exportar?",
  },
  errors: {
    imageInsertError: "No se pudo insertar la imagen. Inténtalo de nuevo más tarde...",
    cannotResolveCollabServer: "No se pudo conectar con el servidor. Vuelve a cargar la página e inténtalo de nuevo.",
    saveLibraryError:
      "No se pudo guardar la biblioteca. Guárdala en un archivo para asegurarte de que no pierdes cambios.",
    collabSaveFailed: "No se pudo guardar en el servidor. Si el problema persiste, guarda tu trabajo en un archivo.",
    collabSaveFailed_sizeExceeded:
      "No se pudo guardar en el servidor: el lienzo parece ser demasiado grande. Guarda tu trabajo en un archivo.",
    imageToolNotSupported: "Las imágenes están desactivadas.",
    brave_measure_text_error: {
      line4:
        "Si los textos siguen sin mostrarse bien, abre una <issueLink>incidencia</issueLink> en nuestro GitHub o escríbenos en <discordLink>Discord</discordLink>",
    },
    libraryElementTypeError: {
      embeddable: "Los elementos incrustados no se pueden agregar a la biblioteca.",
      image: "¡Pronto se podrán agregar imágenes a la biblioteca!",
    },
  },
  quickSearch: { placeholder: "Búsqueda rápida" },
  toolBar: { frame: "Herramienta de marco" },
  element: {
    rectangle: "Rectángulo",
    diamond: "Rombo",
    ellipse: "Elipse",
    arrow: "Flecha",
    line: "Línea",
    freedraw: "Trazo libre",
    text: "Texto",
    image: "Imagen",
    group: "Grupo",
    frame: "Marco",
    magicframe: "Esquema a código",
    embeddable: "Incrustación web",
    selection: "Selección",
    iframe: "IFrame",
  },
  hints: {
    dismissSearch: "Escape para cerrar la búsqueda",
    canvasPanning:
      "Para mover el lienzo, mantén pulsada la rueda del ratón o la barra espaciadora mientras arrastras, o usa la herramienta de mano",
    arrowTool:
      "Haz clic para marcar varios puntos, arrastra para una sola línea. Pulsa otra vez {{arrowShortcut}} para cambiar el tipo de flecha.",
    embeddable: "Haz clic y arrastra para crear un sitio web incrustado",
    text_selected: "Haz doble clic o pulsa ENTER para editar el texto",
    text_editing: "Pulsa Escape o CtrlOrCmd + ENTER para terminar de editar",
    resizeImage:
      "Puedes redimensionar libremente manteniendo pulsado SHIFT,\nmantén pulsado ALT para redimensionar desde el centro",
    lineEditor_info: "Mantén pulsado CtrlOrCmd y haz doble clic, o pulsa CtrlOrCmd + Enter, para editar los puntos",
    lineEditor_pointSelected: "Pulsa Suprimir para eliminar los puntos, CtrlOrCmd+D para duplicarlos, o arrástralos",
    lineEditor_nothingSelected:
      "Selecciona un punto para editarlo (mantén SHIFT para seleccionar varios),\no mantén pulsado Alt y haz clic para añadir puntos",
    placeImage: "Haz clic para colocar la imagen, o haz clic y arrastra para elegir el tamaño",
    bindTextToElement: "Pulsa Enter para añadir texto",
    createFlowchart: "CtrlOrCmd y una tecla de flecha crean un diagrama de flujo",
    eraserRevert: "Mantén pulsado Alt para conservar los elementos marcados para borrar",
    firefox_clipboard_write:
      'Es probable que esta función se active al poner la opción "dom.events.asyncClipboard.clipboardItem" en "true". En Firefox encuentras esa opción en la página "about:config".',
    enterCropEditor: "Haz doble clic en la imagen o pulsa ENTER para recortarla",
    leaveCropEditor: "Haz clic fuera de la imagen o pulsa ENTER o ESCAPE para terminar de recortar",
  },
  helpDialog: {
    blog: "Lee nuestro blog",
    deepBoxSelect: "Seleccionar en profundidad dentro de la caja, y evitar arrastrar",
    createFlowchart: "Crear un diagrama de flujo a partir de una forma",
    navigateFlowchart: "Moverse por un diagrama de flujo",
    github: "¿Has encontrado un problema? Envíalo",
    howto: "Sigue nuestras guías",
    cropStart: "Recortar imagen",
    cropFinish: "Terminar de recortar",
  },
  imageExportDialog: {
    tooltip: {
      embedScene:
        "Los datos de la escena se guardarán en el archivo PNG/SVG, para poder restaurarla desde él.\nEl archivo será más grande.",
    },
  },
  stats: {
    shapes: "Formas",
    fullTitle: "Lienzo y formas",
    generalStats: "General",
    elementProperties: "Propiedades de la forma",
  },
  toast: {
    copyToClipboardAsSvg: "Copiado {{exportSelection}} al portapapeles como SVG\n({{exportColorScheme}})",
    unableToEmbed: "Por ahora no se permite incrustar esta dirección. Puedes pedir en GitHub que se permita",
    unrecognizedLinkFormat:
      "El enlace incrustado no tiene la forma esperada. Pega el texto para incrustar que ofrece el sitio de origen",
    elementLinkCopied: "Enlace copiado",
  },
  colorPicker: {
    shades: "Tonos",
    noShades: "No hay tonos disponibles para este color",
  },
  fontList: {
    badge: { old: "antiguo" },
    sceneFonts: "En este lienzo",
    availableFonts: "Tipos de letra disponibles",
    empty: "No se ha encontrado ningún tipo de letra",
  },
}
