/* The one function of bcryptprimitives.dll that Rust's standard library calls. Wine has the library since its version 9. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return SystemFunction036(data, (ULONG)size) ? TRUE : FALSE;
}
