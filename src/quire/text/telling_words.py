"""What tells of a text what it is, by the words that it tells it with, and what in it never tells anything."""

from __future__ import annotations

import re

# "This contract defines ...", "The purpose of this guide is ...", "In this paper we ...".
_PURPOSES = {
    "en": r"(?:this|the present|these) (?:\w+[ -]){0,3}?(?:contract|agreement|lease|document|paper|article|study"
    "|manual|guide"
    r"|handbook|report|book|booklet|chapter|page|policy|specification|standard|note|notes|letter|memo|leaflet|brochure"
    r"|tutorial|course|list|table|sheet|plan|proposal|offer|survey|review|recipe|newsletter|notice|form|file|project"
    r"|package|library|tool|website|site|blog|post|thesis|work|protocol|procedure|statement|terms|invoice|receipt)\b"
    r"|this is (?:an?|the|your|our) (?:\w+ ){0,3}?(?:guide|manual|list|report|summary|estimate|quote|record"
    r"|collection|introduction|overview|agreement|contract|letter|notice)\b"
    r"|(?:the )?(?:purpose|aim|goal|objective|scope|subject) (?:of|is)\b|in this (?:\w+ ){0,2}?(?:paper|article|study"
    r"|report|work|thesis|chapter|guide|post|book|review|document)\b|we (?:present|propose|describe|introduce|show"
    r"|study|report|investigate|examine|analy[sz]e)\b|thank you for (?:choosing|buying|purchasing)\b|welcome to\b",
    "de": r"(?:dieser?|dieses|das vorliegende|die vorliegende|der vorliegende) (?:[\w-]+ ){0,2}?[\w-]*(?:vertrag"
    "|vereinbarung"
    r"|dokument|arbeit|artikel|studie|handbuch|anleitung|leitfaden|bericht|buch|heft|kapitel|richtlinie|satzung|ordnung"
    r"|spezifikation|brief|liste|tabelle|plan|angebot|text|seite|broschüre|merkblatt|protokoll)\b"
    r"|(?:ziel|zweck|gegenstand|aufgabe) (?:dieser?|dieses|des|der|ist)\b"
    r"|in (?:dieser|diesem) [\w-]*(?:arbeit|artikel|bericht|studie|buch|beitrag|dokument)\b|wir (?:stellen|beschreiben"
    r"|untersuchen|zeigen)\b|(?:vielen |herzlichen )?dank,? dass sie sich für\b|willkommen\b",
    "fr": r"(?:cet?|cette|le présent|la présente) (?:[\w-]+ ){0,2}?(?:contrat|accord|bail|document|article|étude"
    "|manuel|guide"
    r"|notice|rapport|livre|chapitre|règlement|spécification|lettre|liste|tableau|plan|offre|page|brochure|convention)\b"
    r"|(?:le but|l['’]objectif|l['’]objet) (?:de|du|est)\b|dans (?:cet?|cette) (?:article|étude|rapport|travail"
    r"|document)\b"
    r"|nous (?:présentons|proposons|décrivons|étudions)\b|merci d['’]avoir choisi\b|bienvenue\b",
    "es": r"(?:este|esta|el presente|la presente) (?:[\w-]+ ){0,2}?(?:contrato|acuerdo|documento|artículo|estudio"
    "|manual|guía"
    r"|informe|libro|capítulo|reglamento|especificación|carta|lista|tabla|plan|oferta|página|folleto|convenio|trabajo)\b"
    r"|el (?:propósito|objetivo|objeto|fin) (?:de|del|es)\b|en este (?:artículo|estudio|informe|trabajo|documento)\b"
    r"|(?:presentamos|proponemos|describimos|estudiamos)\b|gracias por (?:elegir|comprar)\b|bienvenid\w+\b",
    "ru": r"(?:настоящ\w+|эт[аоит]\w*|данн\w+) (?:\w+ ){0,2}?(?:договор|соглашение|документ|статья|исследование"
    "|руководство"
    r"|инструкция|отчёт|отчет|книга|глава|положение|правила|письмо|список|таблица|план|работа|спецификация|пособие)\b"
    r"|(?:цель|целью|предмет|предметом|задача) (?:настоящ|данн|эт|договора|работы|является)\w*"
    r"|в (?:этой|данной|настоящей) (?:статье|работе)\b|мы (?:представляем|предлагаем|описываем|исследуем)\b"
    r"|(?:спасибо|благодарим)\b.{0,20} за (?:покупку|выбор)\b|добро пожаловать\b",
    "zh": r"(?:本|该|这[份本篇个]?)(?:合同|协议|文件|文档|论文|文章|研究|手册|指南|报告|书|章|规范|规定|办法"
    "|说明书?|条例|表|文)"
    r"|(?:目的|宗旨|目标)(?:是|在于)|感谢您(?:选择|购买|选购)|欢迎",
}
PURPOSE = re.compile("|".join(rf"(?:{pattern})" for pattern in _PURPOSES.values()), re.IGNORECASE)
# Sections in which a text says what it is about.
ABOUT_ITSELF = re.compile(
    r"(?:abstract|summary|overview|introduction|about|purpose|scope|description|background|executive summary"
    r"|zusammenfassung|überblick|übersicht|einleitung|einführung|zweck|geltungsbereich|beschreibung|gegenstand"
    r"|résumé|sommaire|aperçu|introduction|objet|présentation|resumen|introducción|objeto|propósito|descripción"
    r"|аннотация|введение|обзор|описание|предмет договора|цель|摘要|概述|简介|引言|概要|前言|目的)\W*$",
    re.IGNORECASE,
)
# Headings and lines that say nothing of what stands under them.
EMPTY_HEADING = re.compile(
    r"(?:header|footer|title|untitled|document|page|sheet|slide|seite|blatt|folie|página|feuille|diapositive|страница|лист"
    r"|slayd|tabelle|table|tabla|tableau|таблица|figure|part|chapter|section|teil|kapitel|contents?|table of contents"
    r"|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|содержание|目录|index|navigation|menu|main"
    r" (?:page|menu)"
    r"|home(?:page)?|search|see also|references|external links|notes|footnotes|further reading|sources|bibliography"
    r"|tools|languages|comments?|share|related(?: \w+)?|login|log in|sign in|subscribe|print|back|next|previous|more"
    r"|jump to \w+|skip to \w+(?: \w+)?|siehe auch|einzelnachweise|weblinks|voir aussi|références|véase también"
    r"|referencias|см\. также|примечания|ссылки|参见|参考文献|注释|外部链接|首页)[\W\d_]*$",
    re.IGNORECASE,
)
# What pages and letters say of themselves, of their reader and of rights rather than of their subject.
BOILERPLATE = re.compile(
    r"\bcookies?\b|©|\(c\) \d{4}|\ball rights reserved\b|\balle rechte vorbehalten\b|\btous droits réservés\b"
    r"|\btodos los derechos\b|\bвсе права защищены\b|版权所有|\bjavascript\b|\bsign (?:in|up)\b|\blog ?in\b"
    r"|\bsubscrib\w+"
    r"|\bnewsletter\b|\bclick (?:here|on)\b|\bterms of use\b|\bprivacy policy\b|\bskip to\b|\bjump to\b|\bfrom"
    r" wikipedia\b"
    r"|\bthis (?:page|article) was last\b|\blast (?:modified|updated|edited)\b|\bread more\b|\bshare this\b"
    r"|\bfollow us\b"
    r"|\bfigure \d+\b|\bfig\. ?\d|\babbildung \d|\btable \d+[.:]|\bautomatically generated\b|\bdownload\b.{0,20}\bpdf\b"
    r"|\barxiv:|\bdoi:|\bissn\b|\bisbn\b|\bcopyright\b|\blicen[sc]ed under\b|\bdisclaimer\b",
    re.IGNORECASE,
)
# "Present: Anna, Dev", "Telephone: 123": a line of a form.
LABEL = re.compile(r"[\"'*_]*[^\W\d_][\w'’/#. -]{0,28}+[*_]*\s?[:：][*_]*(?:\s|$)")
# A sentence that begins with one of these speaks of something named before.
POINTING_BACK = re.compile(
    r"(?:it|its|they|their|he|she|his|her|these|those|that|such|however|therefore|then|also|but|and|or|so|because|thus"
    r"|er|es|ihre?|seine?|diese[rsmn]?|jedoch|daher|dann|auch|aber|und|il|elle|ils|elles|son|sa|ses|cependant|mais|et"
    r"|él|ella|ellos|ellas|su|sus|sin embargo|pero|y|он|она|оно|они|его|её|их|однако|но|и|поэтому)\b|[它他她]们?"
    r"|但|而且|因此|然而",
    re.IGNORECASE,
)
IN_THIS = re.compile(
    r"\b(?:in this|in the present) (?:\w+ ){0,2}?(?:paper|article|study|report|work|thesis|chapter|guide|review)\b"
    r"|\bwe (?:present|propose|introduce)\b|\bin (?:dieser|diesem) \w*(?:arbeit|artikel|studie|beitrag)\b"
    r"|\bdans (?:cet|cette) (?:article|étude)\b|\ben este (?:artículo|estudio|trabajo)\b"
    r"|\bв (?:этой|данной|настоящей) (?:статье|работе)\b|本文|本研究",
    re.IGNORECASE,
)
PLEASE = re.compile(r"(?:please|note that|bitte|veuillez|por favor|пожалуйста|prière)\b|请", re.IGNORECASE)
# Where a letter says what it is about.
SUBJECT = re.compile(r"(?:subject|betreff|objet|asunto|тема|re|betr\.)\s?:\s*\S|(?:主题|标题|事由)[：:]", re.IGNORECASE)
