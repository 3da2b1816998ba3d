// SPDX-License-Identifier: GPL-2.0
/* page-html.c - page.html as a text of the program, which then needs no file. */
#include "page.h"

__asm__(".pushsection .rodata\n"
	".globl page_html\n"
	".type page_html, %object\n"
	"page_html:\n"
	".incbin \"agent/page.html\"\n"
	".byte 0\n"
	".size page_html, . - page_html\n"
	".popsection");
