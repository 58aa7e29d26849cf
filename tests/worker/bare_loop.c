/* The floor under reading a layer: the PDFium calls that the worker makes for a document, in a bare loop, and nothing else.
 *
 *     bare_loop LIBPDFIUM FILE
 *
 * Opens the document from memory, visits every page once, and asks of each what the worker asks: the structure tree, the
 * page's objects, every character with its boxes, every text object with its font, the annotations. Nothing is kept, but
 * for a sum that is printed so that no call can be left out. Prints: seconds from the open document to its last page, how
 * many of them the processor worked, the number of characters, the sum.
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
    call(int, FPDFPageObj_GetMarkedContentID, (handle)) \
    call(int, FPDFPageObj_CountMarks, (handle)) \
    call(handle, FPDFPageObj_GetMark, (handle, unsigned long)) \
    call(int, FPDFPage_CountObjects, (handle)) \
    call(handle, FPDFPage_GetObject, (handle, int)) \
    call(int, FPDFPageObj_GetType, (handle)) \
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
    call(int, FPDFAnnot_GetFlags, (handle))

#define DECLARE(result, name, arguments) static result (*name) arguments;
CALLS(DECLARE)

static double sum;
static int tagged;

static void element(handle of, int depth) {
    char name[64];
    if (!of || depth > 64) return;
    sum += (double)FPDF_StructElement_GetType(of, name, sizeof name);
    int children = FPDF_StructElement_CountChildren(of);
    for (int at = 0; at < children; at++) {
        int number = FPDF_StructElement_GetChildMarkedContentID(of, at);
        if (number >= 0) { tagged = 1; continue; }
        element(FPDF_StructElement_GetChildAtIndex(of, at), depth + 1);
    }
}

static int image;

static void object(handle of, int depth) {
    if (!of) return;
    int type = FPDFPageObj_GetType(of);
    if (type == 3) image = 1;
    if (type == 5 && depth < 6) {
        int count = FPDFFormObj_CountObjects(of);
        for (int at = 0; at < count && !(image && !tagged); at++) object(FPDFFormObj_GetObject(of, at), depth + 1);
    }
}

static long page(handle document, int number) {
    handle of = FPDF_LoadPage(document, number);
    if (!of) return 0;
    handle text = FPDFText_LoadPage(of);
    struct rectangle box = {0};
    struct matrix matrix;
    double left, right, bottom, top;
    float size;
    FPDF_GetPageBoundingBox(of, &box);
    sum += FPDFPage_GetRotation(of) + FPDF_GetPageWidthF(of) + FPDF_GetPageHeightF(of);
    tagged = 0;
    handle tree = FPDF_StructTree_GetForPage(of);
    if (tree) {
        int children = FPDF_StructTree_CountChildren(tree);
        for (int at = 0; at < children; at++) element(FPDF_StructTree_GetChildAtIndex(tree, at), 0);
        FPDF_StructTree_Close(tree);
    }
    image = 0;
    int objects = FPDFPage_CountObjects(of);
    for (int at = 0; at < objects && !(image && !tagged); at++) object(FPDFPage_GetObject(of, at), 0);
    int count = FPDFText_CountChars(text);
    handle last = NULL;
    for (int at = 0; at < count; at++) {
        sum += FPDFText_GetUnicode(text, at);
        int generated = FPDFText_IsGenerated(text, at);
        sum += FPDFText_IsHyphen(text, at) + FPDFText_HasUnicodeMapError(text, at);
        if (generated == 1) continue;
        FPDFText_GetCharBox(text, at, &left, &right, &bottom, &top);
        FPDFText_GetLooseCharBox(text, at, &box);
        sum += left + right + bottom + top + box.left + box.right + FPDFText_GetCharAngle(text, at);
        handle drawn = FPDFText_GetTextObject(text, at);
        if (drawn && drawn != last) {
            FPDFTextObj_GetFontSize(drawn, &size);
            FPDFText_GetMatrix(text, at, &matrix);
            sum += size + matrix.a + (FPDFTextObj_GetFont(drawn) ? 1 : 0) + FPDFTextObj_GetTextRenderMode(drawn);
            sum += FPDFPageObj_GetMarkedContentID(drawn);
            int marks = FPDFPageObj_CountMarks(drawn);
            for (int mark = 0; mark < marks; mark++) sum += FPDFPageObj_GetMark(drawn, mark) ? 1 : 0;
        }
        last = drawn;
    }
    FPDFText_ClosePage(text);
    int annotations = FPDFPage_GetAnnotCount(of);
    for (int at = 0; at < annotations; at++) {
        handle annotation = FPDFPage_GetAnnot(of, at);
        if (!annotation) continue;
        sum += FPDFAnnot_GetSubtype(annotation) + FPDFAnnot_GetFlags(annotation);
        FPDFPage_CloseAnnot(annotation);
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
