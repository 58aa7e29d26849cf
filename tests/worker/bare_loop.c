/* The floor under reading a layer: the PDFium calls that the worker makes for a document, in a bare loop, and nothing else.
 *
 *     bare_loop LIBPDFIUM FILE
 *
 * Opens the document from memory, visits every page once, and asks of each what the worker asks: the structure tree, the
 * page's objects with the paths and pictures among them, every character with its boxes, every text object with its font,
 * the form fields and annotations. Nothing is computed and nothing kept, but for what decides whether the worker would ask
 * further, and a sum that is printed so that no call can be left out. Prints: seconds from the open document to its last
 * page, how many of them the processor worked, the number of characters, the sum.
 *
 * Deliberately not here: pdfium's headers (none are installed; the prototypes stand here), layers, boxes, frames.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *handle;
struct rectangle { float left, top, right, bottom; };
struct matrix { float a, b, c, d, e, f; };
struct configuration { int version; const char **fonts; void *isolate; unsigned slot; unsigned long long rest[8]; };

#define CALLS(call) \
    call(void, FPDF_InitLibraryWithConfig, (struct configuration *)) \
    call(handle, FPDF_LoadMemDocument64, (const void *, size_t, const char *)) \
    call(int, FPDF_GetPageCount, (handle)) \
    call(handle, FPDF_LoadPage, (handle, int)) \
    call(void, FPDF_ClosePage, (handle)) \
    call(float, FPDF_GetPageWidthF, (handle)) \
    call(float, FPDF_GetPageHeightF, (handle)) \
    call(int, FPDF_GetPageBoundingBox, (handle, struct rectangle *)) \
    call(int, FPDFPage_GetRotation, (handle)) \
    call(handle, FPDFText_LoadPage, (handle)) \
    call(void, FPDFText_ClosePage, (handle)) \
    call(int, FPDFText_CountChars, (handle)) \
    call(unsigned, FPDFText_GetUnicode, (handle, int)) \
    call(int, FPDFText_IsGenerated, (handle, int)) \
    call(int, FPDFText_IsHyphen, (handle, int)) \
    call(int, FPDFText_HasUnicodeMapError, (handle, int)) \
    call(int, FPDFText_GetCharBox, (handle, int, double *, double *, double *, double *)) \
    call(int, FPDFText_GetLooseCharBox, (handle, int, struct rectangle *)) \
    call(float, FPDFText_GetCharAngle, (handle, int)) \
    call(handle, FPDFText_GetTextObject, (handle, int)) \
    call(int, FPDFText_GetMatrix, (handle, int, struct matrix *)) \
    call(int, FPDFTextObj_GetFontSize, (handle, float *)) \
    call(handle, FPDFTextObj_GetFont, (handle)) \
    call(int, FPDFTextObj_GetTextRenderMode, (handle)) \
    call(size_t, FPDFFont_GetBaseFontName, (handle, char *, size_t)) \
    call(int, FPDFFont_GetItalicAngle, (handle, int *)) \
    call(int, FPDFFont_GetFlags, (handle)) \
    call(int, FPDFFont_GetWeight, (handle)) \
    call(int, FPDFFont_GetIsEmbedded, (handle)) \
    call(int, FPDFPageObj_GetMarkedContentID, (handle)) \
    call(int, FPDFPageObj_CountMarks, (handle)) \
    call(handle, FPDFPageObj_GetMark, (handle, unsigned long)) \
    call(int, FPDFPageObjMark_GetName, (handle, void *, unsigned long, unsigned long *)) \
    call(int, FPDFPage_CountObjects, (handle)) \
    call(handle, FPDFPage_GetObject, (handle, int)) \
    call(int, FPDFPageObj_GetType, (handle)) \
    call(int, FPDFPageObj_GetMatrix, (handle, struct matrix *)) \
    call(int, FPDFPageObj_GetStrokeWidth, (handle, float *)) \
    call(int, FPDFPageObj_GetStrokeColor, (handle, unsigned *, unsigned *, unsigned *, unsigned *)) \
    call(int, FPDFPageObj_GetFillColor, (handle, unsigned *, unsigned *, unsigned *, unsigned *)) \
    call(int, FPDFPath_GetDrawMode, (handle, int *, int *)) \
    call(int, FPDFPath_CountSegments, (handle)) \
    call(handle, FPDFPath_GetPathSegment, (handle, int)) \
    call(int, FPDFPathSegment_GetPoint, (handle, float *, float *)) \
    call(int, FPDFPathSegment_GetType, (handle)) \
    call(int, FPDFPathSegment_GetClose, (handle)) \
    call(int, FPDFFormObj_CountObjects, (handle)) \
    call(handle, FPDFFormObj_GetObject, (handle, unsigned long)) \
    call(handle, FPDF_StructTree_GetForPage, (handle)) \
    call(void, FPDF_StructTree_Close, (handle)) \
    call(int, FPDF_StructTree_CountChildren, (handle)) \
    call(handle, FPDF_StructTree_GetChildAtIndex, (handle, int)) \
    call(unsigned long, FPDF_StructElement_GetType, (handle, void *, unsigned long)) \
    call(int, FPDF_StructElement_CountChildren, (handle)) \
    call(int, FPDF_StructElement_GetChildMarkedContentID, (handle, int)) \
    call(handle, FPDF_StructElement_GetChildAtIndex, (handle, int)) \
    call(int, FPDFPage_GetAnnotCount, (handle)) \
    call(handle, FPDFPage_GetAnnot, (handle, int)) \
    call(void, FPDFPage_CloseAnnot, (handle)) \
    call(int, FPDFAnnot_GetSubtype, (handle)) \
    call(int, FPDFAnnot_GetFlags, (handle)) \
    call(int, FPDFAnnot_GetRect, (handle, struct rectangle *)) \
    call(unsigned long, FPDFAnnot_GetStringValue, (handle, const char *, void *, unsigned long)) \
    call(handle, FPDFDOC_InitFormFillEnvironment, (handle, void *)) \
    call(int, FPDFAnnot_GetFormFieldType, (handle, handle)) \
    call(int, FPDFAnnot_GetFormFieldFlags, (handle, handle)) \
    call(unsigned long, FPDFAnnot_GetFormFieldName, (handle, handle, void *, unsigned long)) \
    call(unsigned long, FPDFAnnot_GetFormFieldValue, (handle, handle, void *, unsigned long)) \
    call(int, FPDFAnnot_GetOptionCount, (handle, handle)) \
    call(int, FPDFAnnot_IsOptionSelected, (handle, handle, int)) \
    call(unsigned long, FPDFAnnot_GetOptionLabel, (handle, handle, int, void *, unsigned long))

#define DECLARE(result, name, arguments) static result (*name) arguments;
CALLS(DECLARE)

static double sum;

/* Which numbers of marked content the page's tree names, which fonts and marks of the page were asked: small tables of
 * addresses, so that what the worker asks once is asked once here. A table that is full asks again. */
#define NUMBERS 65536
#define KNOWN 4096
static unsigned char named[NUMBERS];
static int tagged;
static handle known[KNOWN];

static int first_time(handle of, unsigned long salt) {
    unsigned long at = ((unsigned long)of / 8 * 31 + salt) % KNOWN;
    for (int tries = 0; tries < 16; tries++, at = (at + 1) % KNOWN) {
        if (known[at] == of) return 0;
        if (!known[at]) return known[at] = of, 1;
    }
    return 1;
}

static void element(handle of, int depth) {
    char name[64];
    if (!of || depth > 64) return;
    sum += (double)FPDF_StructElement_GetType(of, name, sizeof name);
    int children = FPDF_StructElement_CountChildren(of);
    for (int at = 0; at < children; at++) {
        int number = FPDF_StructElement_GetChildMarkedContentID(of, at);
        if (number >= 0) {
            tagged = 1;
            if (number < NUMBERS) named[number] = 1;
        } else element(FPDF_StructElement_GetChildAtIndex(of, at), depth + 1);
    }
}

static int shows(int known_colour, unsigned red, unsigned green, unsigned blue, unsigned alpha) {
    return !known_colour || (alpha > 0 && (red < 250 || green < 250 || blue < 250));
}

static void path(handle of) {
    int fill = 0, stroke = 0;
    float width = 0, x = 0, y = 0;
    unsigned red = 0, green = 0, blue = 0, alpha = 255;
    FPDFPath_GetDrawMode(of, &fill, &stroke);
    FPDFPageObj_GetStrokeWidth(of, &width);
    sum += width;
    int segments = FPDFPath_CountSegments(of);
    if (stroke) stroke = shows(FPDFPageObj_GetStrokeColor(of, &red, &green, &blue, &alpha), red, green, blue, alpha);
    red = green = blue = 0, alpha = 255;
    if (fill) fill = shows(FPDFPageObj_GetFillColor(of, &red, &green, &blue, &alpha), red, green, blue, alpha);
    if (!stroke && !fill) return;
    for (int at = 0; at < segments; at++) {
        handle segment = FPDFPath_GetPathSegment(of, at);
        if (!segment) continue;
        FPDFPathSegment_GetPoint(segment, &x, &y);
        sum += x + y + FPDFPathSegment_GetType(segment) + FPDFPathSegment_GetClose(segment);
    }
}

static void object(handle of, int depth) {
    struct matrix matrix = {0};
    if (!of) return;
    int type = FPDFPageObj_GetType(of);
    if (type != 2 && type != 3 && type != 5) return;
    FPDFPageObj_GetMatrix(of, &matrix);
    sum += matrix.a;
    if (type == 2) path(of);
    if (type == 5 && depth < 6) {
        int count = FPDFFormObj_CountObjects(of);
        for (int at = 0; at < count; at++) object(FPDFFormObj_GetObject(of, at), depth + 1);
    }
}

static void text_object(handle drawn, handle text, int at) {
    char name[128];
    float size = 0;
    struct matrix matrix = {0};
    FPDFTextObj_GetFontSize(drawn, &size);
    FPDFText_GetMatrix(text, at, &matrix);
    handle font = FPDFTextObj_GetFont(drawn);
    sum += FPDFText_GetCharAngle(text, at) + size + matrix.a + FPDFTextObj_GetTextRenderMode(drawn);
    if (font && first_time(font, 1)) {
        int angle = 0;
        sum += (double)FPDFFont_GetBaseFontName(font, name, sizeof name) + FPDFFont_GetItalicAngle(font, &angle);
        sum += FPDFFont_GetFlags(font) + FPDFFont_GetWeight(font) + FPDFFont_GetIsEmbedded(font);
    }
    int number = FPDFPageObj_GetMarkedContentID(drawn);
    if (number >= 0 && number < NUMBERS && named[number]) return;
    int marks = FPDFPageObj_CountMarks(drawn);
    for (int mark = 0; mark < marks && mark < 64; mark++) {
        handle of = FPDFPageObj_GetMark(drawn, mark);
        unsigned long needed = 0;
        if (of && first_time(of, 2)) sum += FPDFPageObjMark_GetName(of, name, 64, &needed);
    }
}

/* Text is asked for twice: its length, then itself. */
static char words[1 << 21];
#define ASK(call, ...) do { \
        unsigned long length = call(__VA_ARGS__, NULL, 0); \
        if (length > sizeof words) length = sizeof words; \
        if (length > 1) sum += (double)call(__VA_ARGS__, words, length); \
    } while (0)

static handle form;
static unsigned long long form_information[64];

static void annotation(handle document, handle of) {
    struct rectangle box = {0};
    int subtype = FPDFAnnot_GetSubtype(of);
    int flags = FPDFAnnot_GetFlags(of);
    if (flags & (1 << 1 | 1 << 5)) return;
    if (subtype != 20) {
        /* Links, pop-ups and what else has no words of its own. */
        if (subtype < 1 || subtype == 2 || subtype == 16 || (subtype > 17 && subtype != 28)) return;
        ASK(FPDFAnnot_GetStringValue, of, "Contents");
        if (FPDFAnnot_GetStringValue(of, "Contents", NULL, 0) > 2) FPDFAnnot_GetRect(of, &box);
        return;
    }
    if (!form) {
        memcpy(form_information, &(int){1}, sizeof(int));
        form = FPDFDOC_InitFormFillEnvironment(document, form_information);
    }
    int kind = FPDFAnnot_GetFormFieldType(form, of);
    sum += FPDFAnnot_GetFormFieldFlags(form, of);
    if (kind == 1 || kind == 7) return;
    if (kind == 2 || kind == 3) ASK(FPDFAnnot_GetStringValue, of, "AS");
    else if (kind == 4 || kind == 5) {
        int options = FPDFAnnot_GetOptionCount(form, of);
        for (int at = 0; at < options && at < 2000; at++)
            if (FPDFAnnot_IsOptionSelected(form, of, at) == 1) ASK(FPDFAnnot_GetOptionLabel, form, of, at);
    } else ASK(FPDFAnnot_GetFormFieldValue, form, of);
    ASK(FPDFAnnot_GetFormFieldName, form, of);
    FPDFAnnot_GetRect(of, &box);
    sum += box.left;
}

static long page(handle document, int number) {
    handle of = FPDF_LoadPage(document, number);
    if (!of) return 0;
    handle text = FPDFText_LoadPage(of);
    struct rectangle box = {0};
    double left, right, bottom, top;
    FPDF_GetPageBoundingBox(of, &box);
    sum += FPDFPage_GetRotation(of) + FPDF_GetPageWidthF(of) + FPDF_GetPageHeightF(of);
    if (tagged) memset(named, 0, sizeof named);
    memset(known, 0, sizeof known);
    tagged = 0;
    handle tree = FPDF_StructTree_GetForPage(of);
    if (tree) {
        int children = FPDF_StructTree_CountChildren(tree);
        for (int at = 0; at < children; at++) element(FPDF_StructTree_GetChildAtIndex(tree, at), 0);
        FPDF_StructTree_Close(tree);
    }
    int objects = FPDFPage_CountObjects(of);
    for (int at = 0; at < objects; at++) object(FPDFPage_GetObject(of, at), 0);
    int count = FPDFText_CountChars(text);
    handle last = NULL;
    for (int at = 0; at < count; at++) {
        unsigned code = FPDFText_GetUnicode(text, at);
        int generated = FPDFText_IsGenerated(text, at);
        if (generated == 1) continue;
        sum += code + FPDFText_HasUnicodeMapError(text, at);
        if (code == 2) sum += FPDFText_IsHyphen(text, at);
        FPDFText_GetCharBox(text, at, &left, &right, &bottom, &top);
        FPDFText_GetLooseCharBox(text, at, &box);
        sum += left + right + bottom + top + box.left + box.right;
        handle drawn = FPDFText_GetTextObject(text, at);
        if (drawn && drawn != last) text_object(drawn, text, at);
        last = drawn;
    }
    FPDFText_ClosePage(text);
    int annotations = FPDFPage_GetAnnotCount(of);
    for (int at = 0; at < annotations; at++) {
        handle note = FPDFPage_GetAnnot(of, at);
        if (!note) continue;
        annotation(document, note);
        FPDFPage_CloseAnnot(note);
    }
    FPDF_ClosePage(of);
    return count;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
#define FIND(result, name, parameters) \
    if (!(*(void **)&name = dlsym(library, #name))) return fprintf(stderr, "no %s\n", #name), 2;
    CALLS(FIND)
    FILE *file = fopen(arguments[2], "rb");
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)length);
    if (fread(bytes, 1, (size_t)length, file) != (size_t)length) return 2;
    const char *no_fonts[] = {NULL};
    struct configuration configuration = {.version = 2, .fonts = no_fonts};
    FPDF_InitLibraryWithConfig(&configuration);
    handle document = FPDF_LoadMemDocument64(bytes, (size_t)length, NULL);
    if (!document) return 1;
    double began = now(CLOCK_MONOTONIC), worked = now(CLOCK_PROCESS_CPUTIME_ID);
    long characters = 0;
    int pages = FPDF_GetPageCount(document);
    for (int at = 0; at < pages; at++) characters += page(document, at);
    worked = now(CLOCK_PROCESS_CPUTIME_ID) - worked;
    printf("%.9f %.9f %ld %.3f\n", now(CLOCK_MONOTONIC) - began, worked, characters, sum);
    return 0;
}
