"""How an answer names kinds of documents, by language."""

from __future__ import annotations


def _names(words: str) -> dict[str, tuple[str, str]]:
    """`kind: one | many` a line."""
    rows = (line.split(":", 1) for line in words.strip().splitlines())
    found = {}
    for kind, forms in rows:
        one, many = forms.split("|")
        found[kind.strip()] = (one.strip(), many.strip())
    return found


# One of a kind, and several.
NAMES: dict[str, dict[str, tuple[str, str]]] = {
    "en": _names(
        """
        manual: a manual | {} manuals
        guide: a guide | {} guides
        agreement: an agreement | {} agreements
        contract: a contract | {} contracts
        recipe: a recipe | {} recipes
        minutes: minutes | {} sets of minutes
        invoice: an invoice | {} invoices
        receipt: a receipt | {} receipts
        budget: a budget | {} budgets
        estimate: an estimate | {} estimates
        report: a report | {} reports
        specification: a specification | {} specifications
        data_sheet: a data sheet | {} data sheets
        letter: a letter | {} letters
        faq: a list of questions and answers | {} lists of questions and answers
        policy: a policy | {} policies
        thesis: a thesis | {} theses
        paper: a paper | {} papers
        pdf: a PDF | {} PDFs
        web_page: a web page | {} web pages
        table: a table | {} tables
        document: a document | {} documents
        slides: a presentation | {} presentations
        message: an e-mail | {} e-mails
        transcript: a transcript | {} transcripts
        recording: a recording | {} recordings
        video: a video | {} videos
        book: a book | {} books
        picture: a picture | {} pictures
        jupyter: a Jupyter notebook | {} Jupyter notebooks
        text: a text | {} texts
        """
    ),
    "de": _names(
        """
        manual: eine Anleitung | {} Anleitungen
        guide: ein Leitfaden | {} Leitfäden
        agreement: eine Vereinbarung | {} Vereinbarungen
        contract: ein Vertrag | {} Verträge
        recipe: ein Rezept | {} Rezepte
        minutes: ein Protokoll | {} Protokolle
        invoice: eine Rechnung | {} Rechnungen
        receipt: ein Beleg | {} Belege
        budget: ein Haushaltsplan | {} Haushaltspläne
        estimate: ein Kostenvoranschlag | {} Kostenvoranschläge
        report: ein Bericht | {} Berichte
        specification: eine Spezifikation | {} Spezifikationen
        data_sheet: ein Datenblatt | {} Datenblätter
        letter: ein Brief | {} Briefe
        faq: eine Liste von Fragen und Antworten | {} Listen von Fragen und Antworten
        policy: eine Richtlinie | {} Richtlinien
        thesis: eine Abschlussarbeit | {} Abschlussarbeiten
        paper: ein Fachartikel | {} Fachartikel
        pdf: eine PDF-Datei | {} PDF-Dateien
        web_page: eine Webseite | {} Webseiten
        table: eine Tabelle | {} Tabellen
        document: ein Dokument | {} Dokumente
        slides: eine Präsentation | {} Präsentationen
        message: eine E-Mail | {} E-Mails
        transcript: eine Abschrift | {} Abschriften
        recording: eine Aufnahme | {} Aufnahmen
        video: ein Video | {} Videos
        book: ein Buch | {} Bücher
        picture: ein Bild | {} Bilder
        jupyter: ein Jupyter-Notebook | {} Jupyter-Notebooks
        text: ein Text | {} Texte
        """
    ),
    "fr": _names(
        """
        manual: un manuel | {} manuels
        guide: un guide | {} guides
        agreement: un accord | {} accords
        contract: un contrat | {} contrats
        recipe: une recette | {} recettes
        minutes: un compte rendu | {} comptes rendus
        invoice: une facture | {} factures
        receipt: un reçu | {} reçus
        budget: un budget | {} budgets
        estimate: un devis | {} devis
        report: un rapport | {} rapports
        specification: une spécification | {} spécifications
        data_sheet: une fiche technique | {} fiches techniques
        letter: une lettre | {} lettres
        faq: une liste de questions et réponses | {} listes de questions et réponses
        policy: un règlement | {} règlements
        thesis: une thèse | {} thèses
        paper: un article | {} articles
        pdf: un PDF | {} PDF
        web_page: une page web | {} pages web
        table: un tableau | {} tableaux
        document: un document | {} documents
        slides: une présentation | {} présentations
        message: un courriel | {} courriels
        transcript: une transcription | {} transcriptions
        recording: un enregistrement | {} enregistrements
        video: une vidéo | {} vidéos
        book: un livre | {} livres
        picture: une image | {} images
        jupyter: un carnet Jupyter | {} carnets Jupyter
        text: un texte | {} textes
        """
    ),
    "es": _names(
        """
        manual: un manual | {} manuales
        guide: una guía | {} guías
        agreement: un acuerdo | {} acuerdos
        contract: un contrato | {} contratos
        recipe: una receta | {} recetas
        minutes: un acta | {} actas
        invoice: una factura | {} facturas
        receipt: un recibo | {} recibos
        budget: un presupuesto | {} presupuestos
        estimate: un presupuesto | {} presupuestos
        report: un informe | {} informes
        specification: una especificación | {} especificaciones
        data_sheet: una ficha técnica | {} fichas técnicas
        letter: una carta | {} cartas
        faq: una lista de preguntas y respuestas | {} listas de preguntas y respuestas
        policy: un reglamento | {} reglamentos
        thesis: una tesis | {} tesis
        paper: un artículo | {} artículos
        pdf: un PDF | {} PDF
        web_page: una página web | {} páginas web
        table: una tabla | {} tablas
        document: un documento | {} documentos
        slides: una presentación | {} presentaciones
        message: un correo | {} correos
        transcript: una transcripción | {} transcripciones
        recording: una grabación | {} grabaciones
        video: un vídeo | {} vídeos
        book: un libro | {} libros
        picture: una imagen | {} imágenes
        jupyter: un cuaderno Jupyter | {} cuadernos Jupyter
        text: un texto | {} textos
        """
    ),
    "ru": _names(
        """
        manual: инструкция | инструкции ({})
        guide: руководство | руководства ({})
        agreement: соглашение | соглашения ({})
        contract: договор | договоры ({})
        recipe: рецепт | рецепты ({})
        minutes: протокол | протоколы ({})
        invoice: счёт | счета ({})
        receipt: чек | чеки ({})
        budget: бюджет | бюджеты ({})
        estimate: смета | сметы ({})
        report: отчёт | отчёты ({})
        specification: спецификация | спецификации ({})
        data_sheet: технический паспорт | технические паспорта ({})
        letter: письмо | письма ({})
        faq: вопросы и ответы | списки вопросов и ответов ({})
        policy: правила | своды правил ({})
        thesis: диссертация | диссертации ({})
        paper: статья | статьи ({})
        pdf: файл PDF | файлы PDF ({})
        web_page: веб-страница | веб-страницы ({})
        table: таблица | таблицы ({})
        document: документ | документы ({})
        slides: презентация | презентации ({})
        message: электронное письмо | электронные письма ({})
        transcript: расшифровка | расшифровки ({})
        recording: запись | записи ({})
        video: видео | видео ({})
        book: книга | книги ({})
        picture: изображение | изображения ({})
        jupyter: блокнот Jupyter | блокноты Jupyter ({})
        text: текст | тексты ({})
        """
    ),
    "zh": _names(
        """
        manual: 1份手册 | {}份手册
        guide: 1份指南 | {}份指南
        agreement: 1份协议 | {}份协议
        contract: 1份合同 | {}份合同
        recipe: 1份食谱 | {}份食谱
        minutes: 1份会议纪要 | {}份会议纪要
        invoice: 1张发票 | {}张发票
        receipt: 1张收据 | {}张收据
        budget: 1份预算 | {}份预算
        estimate: 1份报价单 | {}份报价单
        report: 1份报告 | {}份报告
        specification: 1份规范 | {}份规范
        data_sheet: 1份数据表 | {}份数据表
        letter: 1封信 | {}封信
        faq: 1份常见问题 | {}份常见问题
        policy: 1份规定 | {}份规定
        thesis: 1篇论文 | {}篇论文
        paper: 1篇文章 | {}篇文章
        pdf: 1个PDF | {}个PDF
        web_page: 1个网页 | {}个网页
        table: 1个表格 | {}个表格
        document: 1份文档 | {}份文档
        slides: 1份演示文稿 | {}份演示文稿
        message: 1封电子邮件 | {}封电子邮件
        transcript: 1份文字记录 | {}份文字记录
        recording: 1段录音 | {}段录音
        video: 1个视频 | {}个视频
        book: 1本书 | {}本书
        picture: 1张图片 | {}张图片
        jupyter: 1个Jupyter笔记本 | {}个Jupyter笔记本
        text: 1份文本 | {}份文本
        """
    ),
}
# One source, and several: how many, and what they are.
SAID_BY: dict[str, tuple[str, str]] = {
    "en": ("One source: {1}.", "{0} sources: {1}."),
    "de": ("Eine Quelle: {1}.", "{0} Quellen: {1}."),
    "fr": ("Une source : {1}.", "{0} sources : {1}."),
    "es": ("Una fuente: {1}.", "{0} fuentes: {1}."),
    "ru": ("Один источник: {1}.", "Источники ({0}): {1}."),
    "zh": ("1个来源：{1}。", "{0}个来源：{1}。"),
}
GLUE: dict[str, tuple[str, str]] = {
    "en": (", ", " and "),
    "de": (", ", " und "),
    "fr": (", ", " et "),
    "es": (", ", " y "),
    "ru": (", ", " и "),
    "zh": ("、", "和"),
}
