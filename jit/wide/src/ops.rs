//! Machine operations: one row per vector or mask instruction, with its form for each encoding and width.
//!
//! A row is `Name [operands] broadcast: VEX 128, VEX 256, EVEX 128, EVEX 256, EVEX 512`. Operands are slots (see
//! [`Slot`]), `broadcast` is the width in bits of an element that a memory operand may broadcast (0: none). `INVALID`
//! marks forms that the processor does not have.

use iced_x86::Code;

use crate::Level;
use crate::regs::{Slot, Width};

/// Row of a machine operation.
pub(crate) struct Row {
    pub slots: [Slot; 4],
    /// Width in bits of an element that memory operands may broadcast; 0: none.
    pub broadcast: u8,
    codes: [Code; 5],
}

macro_rules! ops {
    ($($name:ident [$($slot:ident)*] $broadcast:literal: $($code:ident),*;)*) => {
        /// A machine operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub(crate) enum M { $($name),* }

        pub(crate) static ROWS: &[Row] = &[
            $(Row { slots: [$(Slot::$slot),*], broadcast: $broadcast, codes: [$(Code::$code),*] },)*
        ];
    };
}

impl M {
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The instruction code for a level and a width, if it exists. Mask instructions are listed at 128 bits.
    pub fn code(self, level: Level, width: Width) -> Option<Code> {
        let codes = &self.row().codes;
        let code = match (level, width) {
            (Level::Avx2, Width::W128) => codes[0],
            (Level::Avx2, Width::W256) => codes[1],
            (Level::Avx2, Width::W512) => Code::INVALID,
            (Level::Avx512, Width::W128) => codes[2],
            (Level::Avx512, Width::W256) => codes[3],
            (Level::Avx512, Width::W512) => codes[4],
        };
        (code != Code::INVALID).then_some(code)
    }
}

#[rustfmt::skip]
ops! {
    // Float arithmetic, packed.
    Addps [V V V N] 32: VEX_Vaddps_xmm_xmm_xmmm128, VEX_Vaddps_ymm_ymm_ymmm256, EVEX_Vaddps_xmm_k1z_xmm_xmmm128b32, EVEX_Vaddps_ymm_k1z_ymm_ymmm256b32, EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er;
    Subps [V V V N] 32: VEX_Vsubps_xmm_xmm_xmmm128, VEX_Vsubps_ymm_ymm_ymmm256, EVEX_Vsubps_xmm_k1z_xmm_xmmm128b32, EVEX_Vsubps_ymm_k1z_ymm_ymmm256b32, EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er;
    Mulps [V V V N] 32: VEX_Vmulps_xmm_xmm_xmmm128, VEX_Vmulps_ymm_ymm_ymmm256, EVEX_Vmulps_xmm_k1z_xmm_xmmm128b32, EVEX_Vmulps_ymm_k1z_ymm_ymmm256b32, EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
    Divps [V V V N] 32: VEX_Vdivps_xmm_xmm_xmmm128, VEX_Vdivps_ymm_ymm_ymmm256, EVEX_Vdivps_xmm_k1z_xmm_xmmm128b32, EVEX_Vdivps_ymm_k1z_ymm_ymmm256b32, EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er;
    Minps [V V V N] 32: VEX_Vminps_xmm_xmm_xmmm128, VEX_Vminps_ymm_ymm_ymmm256, EVEX_Vminps_xmm_k1z_xmm_xmmm128b32, EVEX_Vminps_ymm_k1z_ymm_ymmm256b32, EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae;
    Maxps [V V V N] 32: VEX_Vmaxps_xmm_xmm_xmmm128, VEX_Vmaxps_ymm_ymm_ymmm256, EVEX_Vmaxps_xmm_k1z_xmm_xmmm128b32, EVEX_Vmaxps_ymm_k1z_ymm_ymmm256b32, EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae;
    Sqrtps [V V N N] 32: VEX_Vsqrtps_xmm_xmmm128, VEX_Vsqrtps_ymm_ymmm256, EVEX_Vsqrtps_xmm_k1z_xmmm128b32, EVEX_Vsqrtps_ymm_k1z_ymmm256b32, EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er;
    Roundps [V V I N] 32: VEX_Vroundps_xmm_xmmm128_imm8, VEX_Vroundps_ymm_ymmm256_imm8, EVEX_Vrndscaleps_xmm_k1z_xmmm128b32_imm8, EVEX_Vrndscaleps_ymm_k1z_ymmm256b32_imm8, EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae;
    Fmadd213ps [V V V N] 32: VEX_Vfmadd213ps_xmm_xmm_xmmm128, VEX_Vfmadd213ps_ymm_ymm_ymmm256, EVEX_Vfmadd213ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfmadd213ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
    Fmadd231ps [V V V N] 32: VEX_Vfmadd231ps_xmm_xmm_xmmm128, VEX_Vfmadd231ps_ymm_ymm_ymmm256, EVEX_Vfmadd231ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfmadd231ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
    Fmsub213ps [V V V N] 32: VEX_Vfmsub213ps_xmm_xmm_xmmm128, VEX_Vfmsub213ps_ymm_ymm_ymmm256, EVEX_Vfmsub213ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfmsub213ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er;
    Fmsub231ps [V V V N] 32: VEX_Vfmsub231ps_xmm_xmm_xmmm128, VEX_Vfmsub231ps_ymm_ymm_ymmm256, EVEX_Vfmsub231ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfmsub231ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfmsub231ps_zmm_k1z_zmm_zmmm512b32_er;
    Fnmadd213ps [V V V N] 32: VEX_Vfnmadd213ps_xmm_xmm_xmmm128, VEX_Vfnmadd213ps_ymm_ymm_ymmm256, EVEX_Vfnmadd213ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfnmadd213ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
    Fnmadd231ps [V V V N] 32: VEX_Vfnmadd231ps_xmm_xmm_xmmm128, VEX_Vfnmadd231ps_ymm_ymm_ymmm256, EVEX_Vfnmadd231ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfnmadd231ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfnmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
    Fnmsub213ps [V V V N] 32: VEX_Vfnmsub213ps_xmm_xmm_xmmm128, VEX_Vfnmsub213ps_ymm_ymm_ymmm256, EVEX_Vfnmsub213ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfnmsub213ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfnmsub213ps_zmm_k1z_zmm_zmmm512b32_er;
    Fnmsub231ps [V V V N] 32: VEX_Vfnmsub231ps_xmm_xmm_xmmm128, VEX_Vfnmsub231ps_ymm_ymm_ymmm256, EVEX_Vfnmsub231ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfnmsub231ps_ymm_k1z_ymm_ymmm256b32, EVEX_Vfnmsub231ps_zmm_k1z_zmm_zmmm512b32_er;
    Addpd [V V V N] 64: VEX_Vaddpd_xmm_xmm_xmmm128, VEX_Vaddpd_ymm_ymm_ymmm256, EVEX_Vaddpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vaddpd_ymm_k1z_ymm_ymmm256b64, EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
    Subpd [V V V N] 64: VEX_Vsubpd_xmm_xmm_xmmm128, VEX_Vsubpd_ymm_ymm_ymmm256, EVEX_Vsubpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vsubpd_ymm_k1z_ymm_ymmm256b64, EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
    Mulpd [V V V N] 64: VEX_Vmulpd_xmm_xmm_xmmm128, VEX_Vmulpd_ymm_ymm_ymmm256, EVEX_Vmulpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vmulpd_ymm_k1z_ymm_ymmm256b64, EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er;
    Divpd [V V V N] 64: VEX_Vdivpd_xmm_xmm_xmmm128, VEX_Vdivpd_ymm_ymm_ymmm256, EVEX_Vdivpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vdivpd_ymm_k1z_ymm_ymmm256b64, EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
    Minpd [V V V N] 64: VEX_Vminpd_xmm_xmm_xmmm128, VEX_Vminpd_ymm_ymm_ymmm256, EVEX_Vminpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vminpd_ymm_k1z_ymm_ymmm256b64, EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae;
    Maxpd [V V V N] 64: VEX_Vmaxpd_xmm_xmm_xmmm128, VEX_Vmaxpd_ymm_ymm_ymmm256, EVEX_Vmaxpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vmaxpd_ymm_k1z_ymm_ymmm256b64, EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae;
    Sqrtpd [V V N N] 64: VEX_Vsqrtpd_xmm_xmmm128, VEX_Vsqrtpd_ymm_ymmm256, EVEX_Vsqrtpd_xmm_k1z_xmmm128b64, EVEX_Vsqrtpd_ymm_k1z_ymmm256b64, EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er;
    Roundpd [V V I N] 64: VEX_Vroundpd_xmm_xmmm128_imm8, VEX_Vroundpd_ymm_ymmm256_imm8, EVEX_Vrndscalepd_xmm_k1z_xmmm128b64_imm8, EVEX_Vrndscalepd_ymm_k1z_ymmm256b64_imm8, EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
    Fmadd213pd [V V V N] 64: VEX_Vfmadd213pd_xmm_xmm_xmmm128, VEX_Vfmadd213pd_ymm_ymm_ymmm256, EVEX_Vfmadd213pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfmadd213pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er;
    Fmadd231pd [V V V N] 64: VEX_Vfmadd231pd_xmm_xmm_xmmm128, VEX_Vfmadd231pd_ymm_ymm_ymmm256, EVEX_Vfmadd231pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfmadd231pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er;
    Fmsub213pd [V V V N] 64: VEX_Vfmsub213pd_xmm_xmm_xmmm128, VEX_Vfmsub213pd_ymm_ymm_ymmm256, EVEX_Vfmsub213pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfmsub213pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfmsub213pd_zmm_k1z_zmm_zmmm512b64_er;
    Fmsub231pd [V V V N] 64: VEX_Vfmsub231pd_xmm_xmm_xmmm128, VEX_Vfmsub231pd_ymm_ymm_ymmm256, EVEX_Vfmsub231pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfmsub231pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfmsub231pd_zmm_k1z_zmm_zmmm512b64_er;
    Fnmadd213pd [V V V N] 64: VEX_Vfnmadd213pd_xmm_xmm_xmmm128, VEX_Vfnmadd213pd_ymm_ymm_ymmm256, EVEX_Vfnmadd213pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfnmadd213pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfnmadd213pd_zmm_k1z_zmm_zmmm512b64_er;
    Fnmadd231pd [V V V N] 64: VEX_Vfnmadd231pd_xmm_xmm_xmmm128, VEX_Vfnmadd231pd_ymm_ymm_ymmm256, EVEX_Vfnmadd231pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfnmadd231pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfnmadd231pd_zmm_k1z_zmm_zmmm512b64_er;
    Fnmsub213pd [V V V N] 64: VEX_Vfnmsub213pd_xmm_xmm_xmmm128, VEX_Vfnmsub213pd_ymm_ymm_ymmm256, EVEX_Vfnmsub213pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfnmsub213pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfnmsub213pd_zmm_k1z_zmm_zmmm512b64_er;
    Fnmsub231pd [V V V N] 64: VEX_Vfnmsub231pd_xmm_xmm_xmmm128, VEX_Vfnmsub231pd_ymm_ymm_ymmm256, EVEX_Vfnmsub231pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfnmsub231pd_ymm_k1z_ymm_ymmm256b64, EVEX_Vfnmsub231pd_zmm_k1z_zmm_zmmm512b64_er;
    // Float arithmetic, scalar.
    Addss [X X X N] 0: VEX_Vaddss_xmm_xmm_xmmm32, INVALID, EVEX_Vaddss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Subss [X X X N] 0: VEX_Vsubss_xmm_xmm_xmmm32, INVALID, EVEX_Vsubss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Mulss [X X X N] 0: VEX_Vmulss_xmm_xmm_xmmm32, INVALID, EVEX_Vmulss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Divss [X X X N] 0: VEX_Vdivss_xmm_xmm_xmmm32, INVALID, EVEX_Vdivss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Minss [X X X N] 0: VEX_Vminss_xmm_xmm_xmmm32, INVALID, EVEX_Vminss_xmm_k1z_xmm_xmmm32_sae, INVALID, INVALID;
    Maxss [X X X N] 0: VEX_Vmaxss_xmm_xmm_xmmm32, INVALID, EVEX_Vmaxss_xmm_k1z_xmm_xmmm32_sae, INVALID, INVALID;
    Sqrtss [X X X N] 0: VEX_Vsqrtss_xmm_xmm_xmmm32, INVALID, EVEX_Vsqrtss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Roundss [X X X I] 0: VEX_Vroundss_xmm_xmm_xmmm32_imm8, INVALID, EVEX_Vrndscaless_xmm_k1z_xmm_xmmm32_imm8_sae, INVALID, INVALID;
    Fmadd213ss [X X X N] 0: VEX_Vfmadd213ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfmadd213ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Fmadd231ss [X X X N] 0: VEX_Vfmadd231ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfmadd231ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Fmsub213ss [X X X N] 0: VEX_Vfmsub213ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfmsub213ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Fmsub231ss [X X X N] 0: VEX_Vfmsub231ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfmsub231ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Fnmadd213ss [X X X N] 0: VEX_Vfnmadd213ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfnmadd213ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Fnmadd231ss [X X X N] 0: VEX_Vfnmadd231ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfnmadd231ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Fnmsub213ss [X X X N] 0: VEX_Vfnmsub213ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfnmsub213ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Fnmsub231ss [X X X N] 0: VEX_Vfnmsub231ss_xmm_xmm_xmmm32, INVALID, EVEX_Vfnmsub231ss_xmm_k1z_xmm_xmmm32_er, INVALID, INVALID;
    Ucomiss [X X N N] 0: VEX_Vucomiss_xmm_xmmm32, INVALID, EVEX_Vucomiss_xmm_xmmm32_sae, INVALID, INVALID;
    Cmpss [X X X I] 0: VEX_Vcmpss_xmm_xmm_xmmm32_imm8, INVALID, INVALID, INVALID, INVALID;
    Kcmpss [K X X I] 0: INVALID, INVALID, EVEX_Vcmpss_kr_k1_xmm_xmmm32_imm8_sae, INVALID, INVALID;
    Addsd [X X X N] 0: VEX_Vaddsd_xmm_xmm_xmmm64, INVALID, EVEX_Vaddsd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Subsd [X X X N] 0: VEX_Vsubsd_xmm_xmm_xmmm64, INVALID, EVEX_Vsubsd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Mulsd [X X X N] 0: VEX_Vmulsd_xmm_xmm_xmmm64, INVALID, EVEX_Vmulsd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Divsd [X X X N] 0: VEX_Vdivsd_xmm_xmm_xmmm64, INVALID, EVEX_Vdivsd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Minsd [X X X N] 0: VEX_Vminsd_xmm_xmm_xmmm64, INVALID, EVEX_Vminsd_xmm_k1z_xmm_xmmm64_sae, INVALID, INVALID;
    Maxsd [X X X N] 0: VEX_Vmaxsd_xmm_xmm_xmmm64, INVALID, EVEX_Vmaxsd_xmm_k1z_xmm_xmmm64_sae, INVALID, INVALID;
    Sqrtsd [X X X N] 0: VEX_Vsqrtsd_xmm_xmm_xmmm64, INVALID, EVEX_Vsqrtsd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Roundsd [X X X I] 0: VEX_Vroundsd_xmm_xmm_xmmm64_imm8, INVALID, EVEX_Vrndscalesd_xmm_k1z_xmm_xmmm64_imm8_sae, INVALID, INVALID;
    Fmadd213sd [X X X N] 0: VEX_Vfmadd213sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfmadd213sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Fmadd231sd [X X X N] 0: VEX_Vfmadd231sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfmadd231sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Fmsub213sd [X X X N] 0: VEX_Vfmsub213sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfmsub213sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Fmsub231sd [X X X N] 0: VEX_Vfmsub231sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfmsub231sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Fnmadd213sd [X X X N] 0: VEX_Vfnmadd213sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfnmadd213sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Fnmadd231sd [X X X N] 0: VEX_Vfnmadd231sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfnmadd231sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Fnmsub213sd [X X X N] 0: VEX_Vfnmsub213sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfnmsub213sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Fnmsub231sd [X X X N] 0: VEX_Vfnmsub231sd_xmm_xmm_xmmm64, INVALID, EVEX_Vfnmsub231sd_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    Ucomisd [X X N N] 0: VEX_Vucomisd_xmm_xmmm64, INVALID, EVEX_Vucomisd_xmm_xmmm64_sae, INVALID, INVALID;
    Cmpsd [X X X I] 0: VEX_Vcmpsd_xmm_xmm_xmmm64_imm8, INVALID, INVALID, INVALID, INVALID;
    Kcmpsd [K X X I] 0: INVALID, INVALID, EVEX_Vcmpsd_kr_k1_xmm_xmmm64_imm8_sae, INVALID, INVALID;
    // Logic.
    Pand [V V V N] 32: VEX_Vpand_xmm_xmm_xmmm128, VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpandd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
    Pandn [V V V N] 32: VEX_Vpandn_xmm_xmm_xmmm128, VEX_Vpandn_ymm_ymm_ymmm256, EVEX_Vpandnd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpandnd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32;
    Por [V V V N] 32: VEX_Vpor_xmm_xmm_xmmm128, VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vpord_xmm_k1z_xmm_xmmm128b32, EVEX_Vpord_ymm_k1z_ymm_ymmm256b32, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32;
    Pxor [V V V N] 32: VEX_Vpxor_xmm_xmm_xmmm128, VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
    Pternlogd [V V V I] 32: INVALID, INVALID, EVEX_Vpternlogd_xmm_k1z_xmm_xmmm128b32_imm8, EVEX_Vpternlogd_ymm_k1z_ymm_ymmm256b32_imm8, EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
    Ptest [V V N N] 0: VEX_Vptest_xmm_xmmm128, VEX_Vptest_ymm_ymmm256, INVALID, INVALID, INVALID;
    // Integer arithmetic.
    Paddb [V V V N] 0: VEX_Vpaddb_xmm_xmm_xmmm128, VEX_Vpaddb_ymm_ymm_ymmm256, EVEX_Vpaddb_xmm_k1z_xmm_xmmm128, EVEX_Vpaddb_ymm_k1z_ymm_ymmm256, EVEX_Vpaddb_zmm_k1z_zmm_zmmm512;
    Paddw [V V V N] 0: VEX_Vpaddw_xmm_xmm_xmmm128, VEX_Vpaddw_ymm_ymm_ymmm256, EVEX_Vpaddw_xmm_k1z_xmm_xmmm128, EVEX_Vpaddw_ymm_k1z_ymm_ymmm256, EVEX_Vpaddw_zmm_k1z_zmm_zmmm512;
    Paddd [V V V N] 32: VEX_Vpaddd_xmm_xmm_xmmm128, VEX_Vpaddd_ymm_ymm_ymmm256, EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32;
    Paddq [V V V N] 64: VEX_Vpaddq_xmm_xmm_xmmm128, VEX_Vpaddq_ymm_ymm_ymmm256, EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpaddq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64;
    Psubb [V V V N] 0: VEX_Vpsubb_xmm_xmm_xmmm128, VEX_Vpsubb_ymm_ymm_ymmm256, EVEX_Vpsubb_xmm_k1z_xmm_xmmm128, EVEX_Vpsubb_ymm_k1z_ymm_ymmm256, EVEX_Vpsubb_zmm_k1z_zmm_zmmm512;
    Psubw [V V V N] 0: VEX_Vpsubw_xmm_xmm_xmmm128, VEX_Vpsubw_ymm_ymm_ymmm256, EVEX_Vpsubw_xmm_k1z_xmm_xmmm128, EVEX_Vpsubw_ymm_k1z_ymm_ymmm256, EVEX_Vpsubw_zmm_k1z_zmm_zmmm512;
    Psubd [V V V N] 32: VEX_Vpsubd_xmm_xmm_xmmm128, VEX_Vpsubd_ymm_ymm_ymmm256, EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsubd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32;
    Psubq [V V V N] 64: VEX_Vpsubq_xmm_xmm_xmmm128, VEX_Vpsubq_ymm_ymm_ymmm256, EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsubq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64;
    Pmullw [V V V N] 0: VEX_Vpmullw_xmm_xmm_xmmm128, VEX_Vpmullw_ymm_ymm_ymmm256, EVEX_Vpmullw_xmm_k1z_xmm_xmmm128, EVEX_Vpmullw_ymm_k1z_ymm_ymmm256, EVEX_Vpmullw_zmm_k1z_zmm_zmmm512;
    Pmaddwd [V V V N] 0: VEX_Vpmaddwd_xmm_xmm_xmmm128, VEX_Vpmaddwd_ymm_ymm_ymmm256, EVEX_Vpmaddwd_xmm_k1z_xmm_xmmm128, EVEX_Vpmaddwd_ymm_k1z_ymm_ymmm256, EVEX_Vpmaddwd_zmm_k1z_zmm_zmmm512;
    Pdpbusd [V V V N] 32: VEX_Vpdpbusd_xmm_xmm_xmmm128, VEX_Vpdpbusd_ymm_ymm_ymmm256, EVEX_Vpdpbusd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpdpbusd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpdpbusd_zmm_k1z_zmm_zmmm512b32;
    Pmulld [V V V N] 32: VEX_Vpmulld_xmm_xmm_xmmm128, VEX_Vpmulld_ymm_ymm_ymmm256, EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32, EVEX_Vpmulld_ymm_k1z_ymm_ymmm256b32, EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32;
    Pmullq [V V V N] 64: INVALID, INVALID, EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmullq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64;
    Pmuludq [V V V N] 64: VEX_Vpmuludq_xmm_xmm_xmmm128, VEX_Vpmuludq_ymm_ymm_ymmm256, EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmuludq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64;
    Pmuldq [V V V N] 64: VEX_Vpmuldq_xmm_xmm_xmmm128, VEX_Vpmuldq_ymm_ymm_ymmm256, EVEX_Vpmuldq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmuldq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpmuldq_zmm_k1z_zmm_zmmm512b64;
    Pmulhw [V V V N] 0: VEX_Vpmulhw_xmm_xmm_xmmm128, VEX_Vpmulhw_ymm_ymm_ymmm256, EVEX_Vpmulhw_xmm_k1z_xmm_xmmm128, EVEX_Vpmulhw_ymm_k1z_ymm_ymmm256, EVEX_Vpmulhw_zmm_k1z_zmm_zmmm512;
    Pmulhuw [V V V N] 0: VEX_Vpmulhuw_xmm_xmm_xmmm128, VEX_Vpmulhuw_ymm_ymm_ymmm256, EVEX_Vpmulhuw_xmm_k1z_xmm_xmmm128, EVEX_Vpmulhuw_ymm_k1z_ymm_ymmm256, EVEX_Vpmulhuw_zmm_k1z_zmm_zmmm512;
    Pminsb [V V V N] 0: VEX_Vpminsb_xmm_xmm_xmmm128, VEX_Vpminsb_ymm_ymm_ymmm256, EVEX_Vpminsb_xmm_k1z_xmm_xmmm128, EVEX_Vpminsb_ymm_k1z_ymm_ymmm256, EVEX_Vpminsb_zmm_k1z_zmm_zmmm512;
    Pminsw [V V V N] 0: VEX_Vpminsw_xmm_xmm_xmmm128, VEX_Vpminsw_ymm_ymm_ymmm256, EVEX_Vpminsw_xmm_k1z_xmm_xmmm128, EVEX_Vpminsw_ymm_k1z_ymm_ymmm256, EVEX_Vpminsw_zmm_k1z_zmm_zmmm512;
    Pminsd [V V V N] 32: VEX_Vpminsd_xmm_xmm_xmmm128, VEX_Vpminsd_ymm_ymm_ymmm256, EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpminsd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32;
    Pminsq [V V V N] 64: INVALID, INVALID, EVEX_Vpminsq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpminsq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64;
    Pmaxsb [V V V N] 0: VEX_Vpmaxsb_xmm_xmm_xmmm128, VEX_Vpmaxsb_ymm_ymm_ymmm256, EVEX_Vpmaxsb_xmm_k1z_xmm_xmmm128, EVEX_Vpmaxsb_ymm_k1z_ymm_ymmm256, EVEX_Vpmaxsb_zmm_k1z_zmm_zmmm512;
    Pmaxsw [V V V N] 0: VEX_Vpmaxsw_xmm_xmm_xmmm128, VEX_Vpmaxsw_ymm_ymm_ymmm256, EVEX_Vpmaxsw_xmm_k1z_xmm_xmmm128, EVEX_Vpmaxsw_ymm_k1z_ymm_ymmm256, EVEX_Vpmaxsw_zmm_k1z_zmm_zmmm512;
    Pmaxsd [V V V N] 32: VEX_Vpmaxsd_xmm_xmm_xmmm128, VEX_Vpmaxsd_ymm_ymm_ymmm256, EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpmaxsd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32;
    Pmaxsq [V V V N] 64: INVALID, INVALID, EVEX_Vpmaxsq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmaxsq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64;
    Pminub [V V V N] 0: VEX_Vpminub_xmm_xmm_xmmm128, VEX_Vpminub_ymm_ymm_ymmm256, EVEX_Vpminub_xmm_k1z_xmm_xmmm128, EVEX_Vpminub_ymm_k1z_ymm_ymmm256, EVEX_Vpminub_zmm_k1z_zmm_zmmm512;
    Pminuw [V V V N] 0: VEX_Vpminuw_xmm_xmm_xmmm128, VEX_Vpminuw_ymm_ymm_ymmm256, EVEX_Vpminuw_xmm_k1z_xmm_xmmm128, EVEX_Vpminuw_ymm_k1z_ymm_ymmm256, EVEX_Vpminuw_zmm_k1z_zmm_zmmm512;
    Pminud [V V V N] 32: VEX_Vpminud_xmm_xmm_xmmm128, VEX_Vpminud_ymm_ymm_ymmm256, EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32, EVEX_Vpminud_ymm_k1z_ymm_ymmm256b32, EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32;
    Pminuq [V V V N] 64: INVALID, INVALID, EVEX_Vpminuq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpminuq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64;
    Pmaxub [V V V N] 0: VEX_Vpmaxub_xmm_xmm_xmmm128, VEX_Vpmaxub_ymm_ymm_ymmm256, EVEX_Vpmaxub_xmm_k1z_xmm_xmmm128, EVEX_Vpmaxub_ymm_k1z_ymm_ymmm256, EVEX_Vpmaxub_zmm_k1z_zmm_zmmm512;
    Pmaxuw [V V V N] 0: VEX_Vpmaxuw_xmm_xmm_xmmm128, VEX_Vpmaxuw_ymm_ymm_ymmm256, EVEX_Vpmaxuw_xmm_k1z_xmm_xmmm128, EVEX_Vpmaxuw_ymm_k1z_ymm_ymmm256, EVEX_Vpmaxuw_zmm_k1z_zmm_zmmm512;
    Pmaxud [V V V N] 32: VEX_Vpmaxud_xmm_xmm_xmmm128, VEX_Vpmaxud_ymm_ymm_ymmm256, EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32, EVEX_Vpmaxud_ymm_k1z_ymm_ymmm256b32, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32;
    Pmaxuq [V V V N] 64: INVALID, INVALID, EVEX_Vpmaxuq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmaxuq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64;
    Pabsb [V V N N] 0: VEX_Vpabsb_xmm_xmmm128, VEX_Vpabsb_ymm_ymmm256, EVEX_Vpabsb_xmm_k1z_xmmm128, EVEX_Vpabsb_ymm_k1z_ymmm256, EVEX_Vpabsb_zmm_k1z_zmmm512;
    Pabsw [V V N N] 0: VEX_Vpabsw_xmm_xmmm128, VEX_Vpabsw_ymm_ymmm256, EVEX_Vpabsw_xmm_k1z_xmmm128, EVEX_Vpabsw_ymm_k1z_ymmm256, EVEX_Vpabsw_zmm_k1z_zmmm512;
    Pabsd [V V N N] 32: VEX_Vpabsd_xmm_xmmm128, VEX_Vpabsd_ymm_ymmm256, EVEX_Vpabsd_xmm_k1z_xmmm128b32, EVEX_Vpabsd_ymm_k1z_ymmm256b32, EVEX_Vpabsd_zmm_k1z_zmmm512b32;
    Pabsq [V V N N] 64: INVALID, INVALID, EVEX_Vpabsq_xmm_k1z_xmmm128b64, EVEX_Vpabsq_ymm_k1z_ymmm256b64, EVEX_Vpabsq_zmm_k1z_zmmm512b64;
    // Shifts: by a constant, by the low quadword of a register, by lane.
    PsllwI [V V I N] 0: VEX_Vpsllw_xmm_xmm_imm8, VEX_Vpsllw_ymm_ymm_imm8, EVEX_Vpsllw_xmm_k1z_xmmm128_imm8, EVEX_Vpsllw_ymm_k1z_ymmm256_imm8, EVEX_Vpsllw_zmm_k1z_zmmm512_imm8;
    Psllw [V V X N] 0: VEX_Vpsllw_xmm_xmm_xmmm128, VEX_Vpsllw_ymm_ymm_xmmm128, EVEX_Vpsllw_xmm_k1z_xmm_xmmm128, EVEX_Vpsllw_ymm_k1z_ymm_xmmm128, EVEX_Vpsllw_zmm_k1z_zmm_xmmm128;
    PslldI [V V I N] 32: VEX_Vpslld_xmm_xmm_imm8, VEX_Vpslld_ymm_ymm_imm8, EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8, EVEX_Vpslld_ymm_k1z_ymmm256b32_imm8, EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8;
    Pslld [V V X N] 0: VEX_Vpslld_xmm_xmm_xmmm128, VEX_Vpslld_ymm_ymm_xmmm128, EVEX_Vpslld_xmm_k1z_xmm_xmmm128, EVEX_Vpslld_ymm_k1z_ymm_xmmm128, EVEX_Vpslld_zmm_k1z_zmm_xmmm128;
    PsllqI [V V I N] 64: VEX_Vpsllq_xmm_xmm_imm8, VEX_Vpsllq_ymm_ymm_imm8, EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8, EVEX_Vpsllq_ymm_k1z_ymmm256b64_imm8, EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8;
    Psllq [V V X N] 0: VEX_Vpsllq_xmm_xmm_xmmm128, VEX_Vpsllq_ymm_ymm_xmmm128, EVEX_Vpsllq_xmm_k1z_xmm_xmmm128, EVEX_Vpsllq_ymm_k1z_ymm_xmmm128, EVEX_Vpsllq_zmm_k1z_zmm_xmmm128;
    PsrlwI [V V I N] 0: VEX_Vpsrlw_xmm_xmm_imm8, VEX_Vpsrlw_ymm_ymm_imm8, EVEX_Vpsrlw_xmm_k1z_xmmm128_imm8, EVEX_Vpsrlw_ymm_k1z_ymmm256_imm8, EVEX_Vpsrlw_zmm_k1z_zmmm512_imm8;
    Psrlw [V V X N] 0: VEX_Vpsrlw_xmm_xmm_xmmm128, VEX_Vpsrlw_ymm_ymm_xmmm128, EVEX_Vpsrlw_xmm_k1z_xmm_xmmm128, EVEX_Vpsrlw_ymm_k1z_ymm_xmmm128, EVEX_Vpsrlw_zmm_k1z_zmm_xmmm128;
    PsrldI [V V I N] 32: VEX_Vpsrld_xmm_xmm_imm8, VEX_Vpsrld_ymm_ymm_imm8, EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8, EVEX_Vpsrld_ymm_k1z_ymmm256b32_imm8, EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8;
    Psrld [V V X N] 0: VEX_Vpsrld_xmm_xmm_xmmm128, VEX_Vpsrld_ymm_ymm_xmmm128, EVEX_Vpsrld_xmm_k1z_xmm_xmmm128, EVEX_Vpsrld_ymm_k1z_ymm_xmmm128, EVEX_Vpsrld_zmm_k1z_zmm_xmmm128;
    PsrlqI [V V I N] 64: VEX_Vpsrlq_xmm_xmm_imm8, VEX_Vpsrlq_ymm_ymm_imm8, EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8, EVEX_Vpsrlq_ymm_k1z_ymmm256b64_imm8, EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8;
    Psrlq [V V X N] 0: VEX_Vpsrlq_xmm_xmm_xmmm128, VEX_Vpsrlq_ymm_ymm_xmmm128, EVEX_Vpsrlq_xmm_k1z_xmm_xmmm128, EVEX_Vpsrlq_ymm_k1z_ymm_xmmm128, EVEX_Vpsrlq_zmm_k1z_zmm_xmmm128;
    PsrawI [V V I N] 0: VEX_Vpsraw_xmm_xmm_imm8, VEX_Vpsraw_ymm_ymm_imm8, EVEX_Vpsraw_xmm_k1z_xmmm128_imm8, EVEX_Vpsraw_ymm_k1z_ymmm256_imm8, EVEX_Vpsraw_zmm_k1z_zmmm512_imm8;
    Psraw [V V X N] 0: VEX_Vpsraw_xmm_xmm_xmmm128, VEX_Vpsraw_ymm_ymm_xmmm128, EVEX_Vpsraw_xmm_k1z_xmm_xmmm128, EVEX_Vpsraw_ymm_k1z_ymm_xmmm128, EVEX_Vpsraw_zmm_k1z_zmm_xmmm128;
    PsradI [V V I N] 32: VEX_Vpsrad_xmm_xmm_imm8, VEX_Vpsrad_ymm_ymm_imm8, EVEX_Vpsrad_xmm_k1z_xmmm128b32_imm8, EVEX_Vpsrad_ymm_k1z_ymmm256b32_imm8, EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8;
    Psrad [V V X N] 0: VEX_Vpsrad_xmm_xmm_xmmm128, VEX_Vpsrad_ymm_ymm_xmmm128, EVEX_Vpsrad_xmm_k1z_xmm_xmmm128, EVEX_Vpsrad_ymm_k1z_ymm_xmmm128, EVEX_Vpsrad_zmm_k1z_zmm_xmmm128;
    PsraqI [V V I N] 64: INVALID, INVALID, EVEX_Vpsraq_xmm_k1z_xmmm128b64_imm8, EVEX_Vpsraq_ymm_k1z_ymmm256b64_imm8, EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8;
    Psraq [V V X N] 0: INVALID, INVALID, EVEX_Vpsraq_xmm_k1z_xmm_xmmm128, EVEX_Vpsraq_ymm_k1z_ymm_xmmm128, EVEX_Vpsraq_zmm_k1z_zmm_xmmm128;
    Psllvd [V V V N] 32: VEX_Vpsllvd_xmm_xmm_xmmm128, VEX_Vpsllvd_ymm_ymm_ymmm256, EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsllvd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32;
    Psllvq [V V V N] 64: VEX_Vpsllvq_xmm_xmm_xmmm128, VEX_Vpsllvq_ymm_ymm_ymmm256, EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsllvq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64;
    Psrlvd [V V V N] 32: VEX_Vpsrlvd_xmm_xmm_xmmm128, VEX_Vpsrlvd_ymm_ymm_ymmm256, EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsrlvd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32;
    Psrlvq [V V V N] 64: VEX_Vpsrlvq_xmm_xmm_xmmm128, VEX_Vpsrlvq_ymm_ymm_ymmm256, EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsrlvq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64;
    Psravd [V V V N] 32: VEX_Vpsravd_xmm_xmm_xmmm128, VEX_Vpsravd_ymm_ymm_ymmm256, EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsravd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32;
    Psravq [V V V N] 64: INVALID, INVALID, EVEX_Vpsravq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsravq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64;
    // Comparison into vectors.
    Pcmpeqb [V V V N] 0: VEX_Vpcmpeqb_xmm_xmm_xmmm128, VEX_Vpcmpeqb_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Pcmpgtb [V V V N] 0: VEX_Vpcmpgtb_xmm_xmm_xmmm128, VEX_Vpcmpgtb_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Pcmpeqw [V V V N] 0: VEX_Vpcmpeqw_xmm_xmm_xmmm128, VEX_Vpcmpeqw_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Pcmpgtw [V V V N] 0: VEX_Vpcmpgtw_xmm_xmm_xmmm128, VEX_Vpcmpgtw_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Pcmpeqd [V V V N] 0: VEX_Vpcmpeqd_xmm_xmm_xmmm128, VEX_Vpcmpeqd_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Pcmpgtd [V V V N] 0: VEX_Vpcmpgtd_xmm_xmm_xmmm128, VEX_Vpcmpgtd_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Pcmpeqq [V V V N] 0: VEX_Vpcmpeqq_xmm_xmm_xmmm128, VEX_Vpcmpeqq_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Pcmpgtq [V V V N] 0: VEX_Vpcmpgtq_xmm_xmm_xmmm128, VEX_Vpcmpgtq_ymm_ymm_ymmm256, INVALID, INVALID, INVALID;
    Cmpps [V V V I] 0: VEX_Vcmpps_xmm_xmm_xmmm128_imm8, VEX_Vcmpps_ymm_ymm_ymmm256_imm8, INVALID, INVALID, INVALID;
    Cmppd [V V V I] 0: VEX_Vcmppd_xmm_xmm_xmmm128_imm8, VEX_Vcmppd_ymm_ymm_ymmm256_imm8, INVALID, INVALID, INVALID;
    // Comparison into masks.
    Kpcmpb [K V V I] 0: INVALID, INVALID, EVEX_Vpcmpb_kr_k1_xmm_xmmm128_imm8, EVEX_Vpcmpb_kr_k1_ymm_ymmm256_imm8, EVEX_Vpcmpb_kr_k1_zmm_zmmm512_imm8;
    Kpcmpub [K V V I] 0: INVALID, INVALID, EVEX_Vpcmpub_kr_k1_xmm_xmmm128_imm8, EVEX_Vpcmpub_kr_k1_ymm_ymmm256_imm8, EVEX_Vpcmpub_kr_k1_zmm_zmmm512_imm8;
    Kpcmpw [K V V I] 0: INVALID, INVALID, EVEX_Vpcmpw_kr_k1_xmm_xmmm128_imm8, EVEX_Vpcmpw_kr_k1_ymm_ymmm256_imm8, EVEX_Vpcmpw_kr_k1_zmm_zmmm512_imm8;
    Kpcmpuw [K V V I] 0: INVALID, INVALID, EVEX_Vpcmpuw_kr_k1_xmm_xmmm128_imm8, EVEX_Vpcmpuw_kr_k1_ymm_ymmm256_imm8, EVEX_Vpcmpuw_kr_k1_zmm_zmmm512_imm8;
    Kpcmpd [K V V I] 32: INVALID, INVALID, EVEX_Vpcmpd_kr_k1_xmm_xmmm128b32_imm8, EVEX_Vpcmpd_kr_k1_ymm_ymmm256b32_imm8, EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8;
    Kpcmpud [K V V I] 32: INVALID, INVALID, EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8, EVEX_Vpcmpud_kr_k1_ymm_ymmm256b32_imm8, EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;
    Kpcmpq [K V V I] 64: INVALID, INVALID, EVEX_Vpcmpq_kr_k1_xmm_xmmm128b64_imm8, EVEX_Vpcmpq_kr_k1_ymm_ymmm256b64_imm8, EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8;
    Kpcmpuq [K V V I] 64: INVALID, INVALID, EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8, EVEX_Vpcmpuq_kr_k1_ymm_ymmm256b64_imm8, EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8;
    Kcmpps [K V V I] 32: INVALID, INVALID, EVEX_Vcmpps_kr_k1_xmm_xmmm128b32_imm8, EVEX_Vcmpps_kr_k1_ymm_ymmm256b32_imm8, EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
    Kcmppd [K V V I] 64: INVALID, INVALID, EVEX_Vcmppd_kr_k1_xmm_xmmm128b64_imm8, EVEX_Vcmppd_kr_k1_ymm_ymmm256b64_imm8, EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
    Kptestmb [K V V N] 0: INVALID, INVALID, EVEX_Vptestmb_kr_k1_xmm_xmmm128, EVEX_Vptestmb_kr_k1_ymm_ymmm256, EVEX_Vptestmb_kr_k1_zmm_zmmm512;
    Kptestmw [K V V N] 0: INVALID, INVALID, EVEX_Vptestmw_kr_k1_xmm_xmmm128, EVEX_Vptestmw_kr_k1_ymm_ymmm256, EVEX_Vptestmw_kr_k1_zmm_zmmm512;
    Kptestmd [K V V N] 32: INVALID, INVALID, EVEX_Vptestmd_kr_k1_xmm_xmmm128b32, EVEX_Vptestmd_kr_k1_ymm_ymmm256b32, EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
    Kptestmq [K V V N] 64: INVALID, INVALID, EVEX_Vptestmq_kr_k1_xmm_xmmm128b64, EVEX_Vptestmq_kr_k1_ymm_ymmm256b64, EVEX_Vptestmq_kr_k1_zmm_zmmm512b64;
    Kptestnmb [K V V N] 0: INVALID, INVALID, EVEX_Vptestnmb_kr_k1_xmm_xmmm128, EVEX_Vptestnmb_kr_k1_ymm_ymmm256, EVEX_Vptestnmb_kr_k1_zmm_zmmm512;
    Kptestnmw [K V V N] 0: INVALID, INVALID, EVEX_Vptestnmw_kr_k1_xmm_xmmm128, EVEX_Vptestnmw_kr_k1_ymm_ymmm256, EVEX_Vptestnmw_kr_k1_zmm_zmmm512;
    Kptestnmd [K V V N] 32: INVALID, INVALID, EVEX_Vptestnmd_kr_k1_xmm_xmmm128b32, EVEX_Vptestnmd_kr_k1_ymm_ymmm256b32, EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32;
    Kptestnmq [K V V N] 64: INVALID, INVALID, EVEX_Vptestnmq_kr_k1_xmm_xmmm128b64, EVEX_Vptestnmq_kr_k1_ymm_ymmm256b64, EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64;
    // Selection.
    Blendvps [V V V V] 0: VEX_Vblendvps_xmm_xmm_xmmm128_xmm, VEX_Vblendvps_ymm_ymm_ymmm256_ymm, INVALID, INVALID, INVALID;
    Blendvpd [V V V V] 0: VEX_Vblendvpd_xmm_xmm_xmmm128_xmm, VEX_Vblendvpd_ymm_ymm_ymmm256_ymm, INVALID, INVALID, INVALID;
    Pblendvb [V V V V] 0: VEX_Vpblendvb_xmm_xmm_xmmm128_xmm, VEX_Vpblendvb_ymm_ymm_ymmm256_ymm, INVALID, INVALID, INVALID;
    Pblendmb [V V V N] 0: INVALID, INVALID, EVEX_Vpblendmb_xmm_k1z_xmm_xmmm128, EVEX_Vpblendmb_ymm_k1z_ymm_ymmm256, EVEX_Vpblendmb_zmm_k1z_zmm_zmmm512;
    Pblendmw [V V V N] 0: INVALID, INVALID, EVEX_Vpblendmw_xmm_k1z_xmm_xmmm128, EVEX_Vpblendmw_ymm_k1z_ymm_ymmm256, EVEX_Vpblendmw_zmm_k1z_zmm_zmmm512;
    Pblendmd [V V V N] 32: INVALID, INVALID, EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpblendmd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32;
    Pblendmq [V V V N] 64: INVALID, INVALID, EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpblendmq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64;
    PblenddI [V V V I] 0: VEX_Vpblendd_xmm_xmm_xmmm128_imm8, VEX_Vpblendd_ymm_ymm_ymmm256_imm8, INVALID, INVALID, INVALID;
    // Moves.
    Movaps [V V N N] 0: VEX_Vmovaps_xmm_xmmm128, VEX_Vmovaps_ymm_ymmm256, EVEX_Vmovaps_xmm_k1z_xmmm128, EVEX_Vmovaps_ymm_k1z_ymmm256, EVEX_Vmovaps_zmm_k1z_zmmm512;
    MovupsLoad [V V N N] 0: VEX_Vmovups_xmm_xmmm128, VEX_Vmovups_ymm_ymmm256, EVEX_Vmovups_xmm_k1z_xmmm128, EVEX_Vmovups_ymm_k1z_ymmm256, EVEX_Vmovups_zmm_k1z_zmmm512;
    MovupsStore [V V N N] 0: VEX_Vmovups_xmmm128_xmm, VEX_Vmovups_ymmm256_ymm, EVEX_Vmovups_xmmm128_k1z_xmm, EVEX_Vmovups_ymmm256_k1z_ymm, EVEX_Vmovups_zmmm512_k1z_zmm;
    MovdquLoadb [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu8_xmm_k1z_xmmm128, EVEX_Vmovdqu8_ymm_k1z_ymmm256, EVEX_Vmovdqu8_zmm_k1z_zmmm512;
    MovdquLoadw [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu16_xmm_k1z_xmmm128, EVEX_Vmovdqu16_ymm_k1z_ymmm256, EVEX_Vmovdqu16_zmm_k1z_zmmm512;
    MovdquLoadd [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu32_xmm_k1z_xmmm128, EVEX_Vmovdqu32_ymm_k1z_ymmm256, EVEX_Vmovdqu32_zmm_k1z_zmmm512;
    MovdquLoadq [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu64_xmm_k1z_xmmm128, EVEX_Vmovdqu64_ymm_k1z_ymmm256, EVEX_Vmovdqu64_zmm_k1z_zmmm512;
    MovdquStoreb [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu8_xmmm128_k1z_xmm, EVEX_Vmovdqu8_ymmm256_k1z_ymm, EVEX_Vmovdqu8_zmmm512_k1z_zmm;
    MovdquStorew [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu16_xmmm128_k1z_xmm, EVEX_Vmovdqu16_ymmm256_k1z_ymm, EVEX_Vmovdqu16_zmmm512_k1z_zmm;
    MovdquStored [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu32_xmmm128_k1z_xmm, EVEX_Vmovdqu32_ymmm256_k1z_ymm, EVEX_Vmovdqu32_zmmm512_k1z_zmm;
    MovdquStoreq [V V N N] 0: INVALID, INVALID, EVEX_Vmovdqu64_xmmm128_k1z_xmm, EVEX_Vmovdqu64_ymmm256_k1z_ymm, EVEX_Vmovdqu64_zmmm512_k1z_zmm;
    MaskmovpsLoad [V V M N] 0: VEX_Vmaskmovps_xmm_xmm_m128, VEX_Vmaskmovps_ymm_ymm_m256, INVALID, INVALID, INVALID;
    MaskmovpsStore [M V V N] 0: VEX_Vmaskmovps_m128_xmm_xmm, VEX_Vmaskmovps_m256_ymm_ymm, INVALID, INVALID, INVALID;
    MaskmovpdLoad [V V M N] 0: VEX_Vmaskmovpd_xmm_xmm_m128, VEX_Vmaskmovpd_ymm_ymm_m256, INVALID, INVALID, INVALID;
    MaskmovpdStore [M V V N] 0: VEX_Vmaskmovpd_m128_xmm_xmm, VEX_Vmaskmovpd_m256_ymm_ymm, INVALID, INVALID, INVALID;
    MovssLoad [X M N N] 0: VEX_Vmovss_xmm_m32, INVALID, EVEX_Vmovss_xmm_k1z_m32, INVALID, INVALID;
    MovsdLoad [X M N N] 0: VEX_Vmovsd_xmm_m64, INVALID, EVEX_Vmovsd_xmm_k1z_m64, INVALID, INVALID;
    MovssStore [M X N N] 0: VEX_Vmovss_m32_xmm, INVALID, EVEX_Vmovss_m32_k1_xmm, INVALID, INVALID;
    MovsdStore [M X N N] 0: VEX_Vmovsd_m64_xmm, INVALID, EVEX_Vmovsd_m64_k1_xmm, INVALID, INVALID;
    Movd [X R32 N N] 0: VEX_Vmovd_xmm_rm32, INVALID, EVEX_Vmovd_xmm_rm32, INVALID, INVALID;
    MovdOut [R32 X N N] 0: VEX_Vmovd_rm32_xmm, INVALID, EVEX_Vmovd_rm32_xmm, INVALID, INVALID;
    Movq [X R64 N N] 0: VEX_Vmovq_xmm_rm64, INVALID, EVEX_Vmovq_xmm_rm64, INVALID, INVALID;
    MovqOut [R64 X N N] 0: VEX_Vmovq_rm64_xmm, INVALID, EVEX_Vmovq_rm64_xmm, INVALID, INVALID;
    MovqLow [X X N N] 0: VEX_Vmovq_xmm_xmmm64, INVALID, EVEX_Vmovq_xmm_xmmm64, INVALID, INVALID;
    // Broadcasts.
    BroadcastssLoad [V M N N] 0: VEX_Vbroadcastss_xmm_m32, VEX_Vbroadcastss_ymm_m32, EVEX_Vbroadcastss_xmm_k1z_xmmm32, EVEX_Vbroadcastss_ymm_k1z_xmmm32, EVEX_Vbroadcastss_zmm_k1z_xmmm32;
    Broadcastss [V X N N] 0: VEX_Vbroadcastss_xmm_xmm, VEX_Vbroadcastss_ymm_xmm, EVEX_Vbroadcastss_xmm_k1z_xmmm32, EVEX_Vbroadcastss_ymm_k1z_xmmm32, EVEX_Vbroadcastss_zmm_k1z_xmmm32;
    BroadcastsdLoad [V M N N] 0: INVALID, VEX_Vbroadcastsd_ymm_m64, INVALID, EVEX_Vbroadcastsd_ymm_k1z_xmmm64, EVEX_Vbroadcastsd_zmm_k1z_xmmm64;
    Broadcastsd [V X N N] 0: INVALID, VEX_Vbroadcastsd_ymm_xmm, INVALID, EVEX_Vbroadcastsd_ymm_k1z_xmmm64, EVEX_Vbroadcastsd_zmm_k1z_xmmm64;
    Pbroadcastb [V X N N] 0: VEX_Vpbroadcastb_xmm_xmmm8, VEX_Vpbroadcastb_ymm_xmmm8, EVEX_Vpbroadcastb_xmm_k1z_xmmm8, EVEX_Vpbroadcastb_ymm_k1z_xmmm8, EVEX_Vpbroadcastb_zmm_k1z_xmmm8;
    Pbroadcastw [V X N N] 0: VEX_Vpbroadcastw_xmm_xmmm16, VEX_Vpbroadcastw_ymm_xmmm16, EVEX_Vpbroadcastw_xmm_k1z_xmmm16, EVEX_Vpbroadcastw_ymm_k1z_xmmm16, EVEX_Vpbroadcastw_zmm_k1z_xmmm16;
    Pbroadcastd [V X N N] 0: VEX_Vpbroadcastd_xmm_xmmm32, VEX_Vpbroadcastd_ymm_xmmm32, EVEX_Vpbroadcastd_xmm_k1z_xmmm32, EVEX_Vpbroadcastd_ymm_k1z_xmmm32, EVEX_Vpbroadcastd_zmm_k1z_xmmm32;
    Pbroadcastq [V X N N] 0: VEX_Vpbroadcastq_xmm_xmmm64, VEX_Vpbroadcastq_ymm_xmmm64, EVEX_Vpbroadcastq_xmm_k1z_xmmm64, EVEX_Vpbroadcastq_ymm_k1z_xmmm64, EVEX_Vpbroadcastq_zmm_k1z_xmmm64;
    PbroadcastGb [V R32 N N] 0: INVALID, INVALID, EVEX_Vpbroadcastb_xmm_k1z_r32, EVEX_Vpbroadcastb_ymm_k1z_r32, EVEX_Vpbroadcastb_zmm_k1z_r32;
    PbroadcastGw [V R32 N N] 0: INVALID, INVALID, EVEX_Vpbroadcastw_xmm_k1z_r32, EVEX_Vpbroadcastw_ymm_k1z_r32, EVEX_Vpbroadcastw_zmm_k1z_r32;
    PbroadcastGd [V R32 N N] 0: INVALID, INVALID, EVEX_Vpbroadcastd_xmm_k1z_r32, EVEX_Vpbroadcastd_ymm_k1z_r32, EVEX_Vpbroadcastd_zmm_k1z_r32;
    PbroadcastGq [V R64 N N] 0: INVALID, INVALID, EVEX_Vpbroadcastq_xmm_k1z_r64, EVEX_Vpbroadcastq_ymm_k1z_r64, EVEX_Vpbroadcastq_zmm_k1z_r64;
    // Parts of vectors and lanes.
    Extract128 [X V I N] 0: INVALID, VEX_Vextracti128_xmmm128_ymm_imm8, INVALID, EVEX_Vextracti32x4_xmmm128_k1z_ymm_imm8, EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8;
    Insert128 [V V X I] 0: INVALID, VEX_Vinserti128_ymm_ymm_xmmm128_imm8, INVALID, EVEX_Vinserti32x4_ymm_k1z_ymm_xmmm128_imm8, EVEX_Vinserti32x4_zmm_k1z_zmm_xmmm128_imm8;
    Extract256 [H V I N] 0: INVALID, INVALID, INVALID, INVALID, EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8;
    Insert256 [V V H I] 0: INVALID, INVALID, INVALID, INVALID, EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8;
    Pextrb [R32 X I N] 0: VEX_Vpextrb_r32m8_xmm_imm8, INVALID, EVEX_Vpextrb_r32m8_xmm_imm8, INVALID, INVALID;
    Pextrw [R32 X I N] 0: VEX_Vpextrw_r32_xmm_imm8, INVALID, EVEX_Vpextrw_r32_xmm_imm8, INVALID, INVALID;
    Pextrd [R32 X I N] 0: VEX_Vpextrd_rm32_xmm_imm8, INVALID, EVEX_Vpextrd_rm32_xmm_imm8, INVALID, INVALID;
    Pextrq [R64 X I N] 0: VEX_Vpextrq_rm64_xmm_imm8, INVALID, EVEX_Vpextrq_rm64_xmm_imm8, INVALID, INVALID;
    Pinsrb [X X R32 I] 0: VEX_Vpinsrb_xmm_xmm_r32m8_imm8, INVALID, EVEX_Vpinsrb_xmm_xmm_r32m8_imm8, INVALID, INVALID;
    Pinsrw [X X R32 I] 0: VEX_Vpinsrw_xmm_xmm_r32m16_imm8, INVALID, EVEX_Vpinsrw_xmm_xmm_r32m16_imm8, INVALID, INVALID;
    Pinsrd [X X R32 I] 0: VEX_Vpinsrd_xmm_xmm_rm32_imm8, INVALID, EVEX_Vpinsrd_xmm_xmm_rm32_imm8, INVALID, INVALID;
    Pinsrq [X X R64 I] 0: VEX_Vpinsrq_xmm_xmm_rm64_imm8, INVALID, EVEX_Vpinsrq_xmm_xmm_rm64_imm8, INVALID, INVALID;
    Insertps [X X X I] 0: VEX_Vinsertps_xmm_xmm_xmmm32_imm8, INVALID, EVEX_Vinsertps_xmm_xmm_xmmm32_imm8, INVALID, INVALID;
    // Moves across lanes.
    Pshufd [V V I N] 32: VEX_Vpshufd_xmm_xmmm128_imm8, VEX_Vpshufd_ymm_ymmm256_imm8, EVEX_Vpshufd_xmm_k1z_xmmm128b32_imm8, EVEX_Vpshufd_ymm_k1z_ymmm256b32_imm8, EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8;
    PermilpsI [V V I N] 32: VEX_Vpermilps_xmm_xmmm128_imm8, VEX_Vpermilps_ymm_ymmm256_imm8, EVEX_Vpermilps_xmm_k1z_xmmm128b32_imm8, EVEX_Vpermilps_ymm_k1z_ymmm256b32_imm8, EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8;
    PermilpdI [V V I N] 64: VEX_Vpermilpd_xmm_xmmm128_imm8, VEX_Vpermilpd_ymm_ymmm256_imm8, EVEX_Vpermilpd_xmm_k1z_xmmm128b64_imm8, EVEX_Vpermilpd_ymm_k1z_ymmm256b64_imm8, EVEX_Vpermilpd_zmm_k1z_zmmm512b64_imm8;
    Permilps [V V V N] 32: VEX_Vpermilps_xmm_xmm_xmmm128, VEX_Vpermilps_ymm_ymm_ymmm256, EVEX_Vpermilps_xmm_k1z_xmm_xmmm128b32, EVEX_Vpermilps_ymm_k1z_ymm_ymmm256b32, EVEX_Vpermilps_zmm_k1z_zmm_zmmm512b32;
    Shufps [V V V I] 32: VEX_Vshufps_xmm_xmm_xmmm128_imm8, VEX_Vshufps_ymm_ymm_ymmm256_imm8, EVEX_Vshufps_xmm_k1z_xmm_xmmm128b32_imm8, EVEX_Vshufps_ymm_k1z_ymm_ymmm256b32_imm8, EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8;
    Pshufb [V V V N] 0: VEX_Vpshufb_xmm_xmm_xmmm128, VEX_Vpshufb_ymm_ymm_ymmm256, EVEX_Vpshufb_xmm_k1z_xmm_xmmm128, EVEX_Vpshufb_ymm_k1z_ymm_ymmm256, EVEX_Vpshufb_zmm_k1z_zmm_zmmm512;
    Punpckldq [V V V N] 32: VEX_Vpunpckldq_xmm_xmm_xmmm128, VEX_Vpunpckldq_ymm_ymm_ymmm256, EVEX_Vpunpckldq_xmm_k1z_xmm_xmmm128b32, EVEX_Vpunpckldq_ymm_k1z_ymm_ymmm256b32, EVEX_Vpunpckldq_zmm_k1z_zmm_zmmm512b32;
    Punpckhdq [V V V N] 32: VEX_Vpunpckhdq_xmm_xmm_xmmm128, VEX_Vpunpckhdq_ymm_ymm_ymmm256, EVEX_Vpunpckhdq_xmm_k1z_xmm_xmmm128b32, EVEX_Vpunpckhdq_ymm_k1z_ymm_ymmm256b32, EVEX_Vpunpckhdq_zmm_k1z_zmm_zmmm512b32;
    Punpcklqdq [V V V N] 64: VEX_Vpunpcklqdq_xmm_xmm_xmmm128, VEX_Vpunpcklqdq_ymm_ymm_ymmm256, EVEX_Vpunpcklqdq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpunpcklqdq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpunpcklqdq_zmm_k1z_zmm_zmmm512b64;
    Permd [V V V N] 32: INVALID, VEX_Vpermd_ymm_ymm_ymmm256, INVALID, EVEX_Vpermd_ymm_k1z_ymm_ymmm256b32, EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32;
    PermqI [V V I N] 64: INVALID, VEX_Vpermq_ymm_ymmm256_imm8, INVALID, EVEX_Vpermq_ymm_k1z_ymmm256b64_imm8, EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8;
    Permq [V V V N] 64: INVALID, INVALID, INVALID, EVEX_Vpermq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpermq_zmm_k1z_zmm_zmmm512b64;
    Permw [V V V N] 0: INVALID, INVALID, EVEX_Vpermw_xmm_k1z_xmm_xmmm128, EVEX_Vpermw_ymm_k1z_ymm_ymmm256, EVEX_Vpermw_zmm_k1z_zmm_zmmm512;
    Permt2d [V V V N] 32: INVALID, INVALID, EVEX_Vpermt2d_xmm_k1z_xmm_xmmm128b32, EVEX_Vpermt2d_ymm_k1z_ymm_ymmm256b32, EVEX_Vpermt2d_zmm_k1z_zmm_zmmm512b32;
    Permt2w [V V V N] 0: INVALID, INVALID, EVEX_Vpermt2w_xmm_k1z_xmm_xmmm128, EVEX_Vpermt2w_ymm_k1z_ymm_ymmm256, EVEX_Vpermt2w_zmm_k1z_zmm_zmmm512;
    Psrldq [V V I N] 0: VEX_Vpsrldq_xmm_xmm_imm8, VEX_Vpsrldq_ymm_ymm_imm8, EVEX_Vpsrldq_xmm_xmmm128_imm8, EVEX_Vpsrldq_ymm_ymmm256_imm8, EVEX_Vpsrldq_zmm_zmmm512_imm8;
    // Widening and narrowing.
    Pmovzxbw [V H N N] 0: VEX_Vpmovzxbw_xmm_xmmm64, VEX_Vpmovzxbw_ymm_xmmm128, EVEX_Vpmovzxbw_xmm_k1z_xmmm64, EVEX_Vpmovzxbw_ymm_k1z_xmmm128, EVEX_Vpmovzxbw_zmm_k1z_ymmm256;
    Pmovzxbd [V X N N] 0: VEX_Vpmovzxbd_xmm_xmmm32, VEX_Vpmovzxbd_ymm_xmmm64, EVEX_Vpmovzxbd_xmm_k1z_xmmm32, EVEX_Vpmovzxbd_ymm_k1z_xmmm64, EVEX_Vpmovzxbd_zmm_k1z_xmmm128;
    Pmovzxbq [V X N N] 0: VEX_Vpmovzxbq_xmm_xmmm16, VEX_Vpmovzxbq_ymm_xmmm32, EVEX_Vpmovzxbq_xmm_k1z_xmmm16, EVEX_Vpmovzxbq_ymm_k1z_xmmm32, EVEX_Vpmovzxbq_zmm_k1z_xmmm64;
    Pmovzxwd [V H N N] 0: VEX_Vpmovzxwd_xmm_xmmm64, VEX_Vpmovzxwd_ymm_xmmm128, EVEX_Vpmovzxwd_xmm_k1z_xmmm64, EVEX_Vpmovzxwd_ymm_k1z_xmmm128, EVEX_Vpmovzxwd_zmm_k1z_ymmm256;
    Pmovzxwq [V X N N] 0: VEX_Vpmovzxwq_xmm_xmmm32, VEX_Vpmovzxwq_ymm_xmmm64, EVEX_Vpmovzxwq_xmm_k1z_xmmm32, EVEX_Vpmovzxwq_ymm_k1z_xmmm64, EVEX_Vpmovzxwq_zmm_k1z_xmmm128;
    Pmovzxdq [V H N N] 0: VEX_Vpmovzxdq_xmm_xmmm64, VEX_Vpmovzxdq_ymm_xmmm128, EVEX_Vpmovzxdq_xmm_k1z_xmmm64, EVEX_Vpmovzxdq_ymm_k1z_xmmm128, EVEX_Vpmovzxdq_zmm_k1z_ymmm256;
    Pmovsxbw [V H N N] 0: VEX_Vpmovsxbw_xmm_xmmm64, VEX_Vpmovsxbw_ymm_xmmm128, EVEX_Vpmovsxbw_xmm_k1z_xmmm64, EVEX_Vpmovsxbw_ymm_k1z_xmmm128, EVEX_Vpmovsxbw_zmm_k1z_ymmm256;
    Pmovsxbd [V X N N] 0: VEX_Vpmovsxbd_xmm_xmmm32, VEX_Vpmovsxbd_ymm_xmmm64, EVEX_Vpmovsxbd_xmm_k1z_xmmm32, EVEX_Vpmovsxbd_ymm_k1z_xmmm64, EVEX_Vpmovsxbd_zmm_k1z_xmmm128;
    Pmovsxbq [V X N N] 0: VEX_Vpmovsxbq_xmm_xmmm16, VEX_Vpmovsxbq_ymm_xmmm32, EVEX_Vpmovsxbq_xmm_k1z_xmmm16, EVEX_Vpmovsxbq_ymm_k1z_xmmm32, EVEX_Vpmovsxbq_zmm_k1z_xmmm64;
    Pmovsxwd [V H N N] 0: VEX_Vpmovsxwd_xmm_xmmm64, VEX_Vpmovsxwd_ymm_xmmm128, EVEX_Vpmovsxwd_xmm_k1z_xmmm64, EVEX_Vpmovsxwd_ymm_k1z_xmmm128, EVEX_Vpmovsxwd_zmm_k1z_ymmm256;
    Pmovsxwq [V X N N] 0: VEX_Vpmovsxwq_xmm_xmmm32, VEX_Vpmovsxwq_ymm_xmmm64, EVEX_Vpmovsxwq_xmm_k1z_xmmm32, EVEX_Vpmovsxwq_ymm_k1z_xmmm64, EVEX_Vpmovsxwq_zmm_k1z_xmmm128;
    Pmovsxdq [V H N N] 0: VEX_Vpmovsxdq_xmm_xmmm64, VEX_Vpmovsxdq_ymm_xmmm128, EVEX_Vpmovsxdq_xmm_k1z_xmmm64, EVEX_Vpmovsxdq_ymm_k1z_xmmm128, EVEX_Vpmovsxdq_zmm_k1z_ymmm256;
    Pmovdw [H V N N] 0: INVALID, INVALID, EVEX_Vpmovdw_xmmm64_k1z_xmm, EVEX_Vpmovdw_xmmm128_k1z_ymm, EVEX_Vpmovdw_ymmm256_k1z_zmm;
    Pmovdb [X V N N] 0: INVALID, INVALID, EVEX_Vpmovdb_xmmm32_k1z_xmm, EVEX_Vpmovdb_xmmm64_k1z_ymm, EVEX_Vpmovdb_xmmm128_k1z_zmm;
    Packuswb [V V V N] 0: VEX_Vpackuswb_xmm_xmm_xmmm128, VEX_Vpackuswb_ymm_ymm_ymmm256, EVEX_Vpackuswb_xmm_k1z_xmm_xmmm128, EVEX_Vpackuswb_ymm_k1z_ymm_ymmm256, EVEX_Vpackuswb_zmm_k1z_zmm_zmmm512;
    Packusdw [V V V N] 32: VEX_Vpackusdw_xmm_xmm_xmmm128, VEX_Vpackusdw_ymm_ymm_ymmm256, EVEX_Vpackusdw_xmm_k1z_xmm_xmmm128b32, EVEX_Vpackusdw_ymm_k1z_ymm_ymmm256b32, EVEX_Vpackusdw_zmm_k1z_zmm_zmmm512b32;
    Packsswb [V V V N] 0: VEX_Vpacksswb_xmm_xmm_xmmm128, VEX_Vpacksswb_ymm_ymm_ymmm256, EVEX_Vpacksswb_xmm_k1z_xmm_xmmm128, EVEX_Vpacksswb_ymm_k1z_ymm_ymmm256, EVEX_Vpacksswb_zmm_k1z_zmm_zmmm512;
    Packssdw [V V V N] 32: VEX_Vpackssdw_xmm_xmm_xmmm128, VEX_Vpackssdw_ymm_ymm_ymmm256, EVEX_Vpackssdw_xmm_k1z_xmm_xmmm128b32, EVEX_Vpackssdw_ymm_k1z_ymm_ymmm256b32, EVEX_Vpackssdw_zmm_k1z_zmm_zmmm512b32;
    // Conversions, packed.
    Cvtdq2ps [V V N N] 32: VEX_Vcvtdq2ps_xmm_xmmm128, VEX_Vcvtdq2ps_ymm_ymmm256, EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32, EVEX_Vcvtdq2ps_ymm_k1z_ymmm256b32, EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er;
    Cvttps2dq [V V N N] 32: VEX_Vcvttps2dq_xmm_xmmm128, VEX_Vcvttps2dq_ymm_ymmm256, EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32, EVEX_Vcvttps2dq_ymm_k1z_ymmm256b32, EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae;
    Cvtudq2ps [V V N N] 32: INVALID, INVALID, EVEX_Vcvtudq2ps_xmm_k1z_xmmm128b32, EVEX_Vcvtudq2ps_ymm_k1z_ymmm256b32, EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er;
    Cvttps2udq [V V N N] 32: INVALID, INVALID, EVEX_Vcvttps2udq_xmm_k1z_xmmm128b32, EVEX_Vcvttps2udq_ymm_k1z_ymmm256b32, EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae;
    Cvtqq2pd [V V N N] 64: INVALID, INVALID, EVEX_Vcvtqq2pd_xmm_k1z_xmmm128b64, EVEX_Vcvtqq2pd_ymm_k1z_ymmm256b64, EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er;
    Cvtuqq2pd [V V N N] 64: INVALID, INVALID, EVEX_Vcvtuqq2pd_xmm_k1z_xmmm128b64, EVEX_Vcvtuqq2pd_ymm_k1z_ymmm256b64, EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er;
    Cvtps2pd [V H N N] 32: VEX_Vcvtps2pd_xmm_xmmm64, VEX_Vcvtps2pd_ymm_xmmm128, EVEX_Vcvtps2pd_xmm_k1z_xmmm64b32, EVEX_Vcvtps2pd_ymm_k1z_xmmm128b32, EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae;
    Cvtdq2pd [V H N N] 32: VEX_Vcvtdq2pd_xmm_xmmm64, VEX_Vcvtdq2pd_ymm_xmmm128, EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32, EVEX_Vcvtdq2pd_ymm_k1z_xmmm128b32, EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er;
    Cvtpd2ps [H V N N] 64: VEX_Vcvtpd2ps_xmm_xmmm128, VEX_Vcvtpd2ps_xmm_ymmm256, EVEX_Vcvtpd2ps_xmm_k1z_xmmm128b64, EVEX_Vcvtpd2ps_xmm_k1z_ymmm256b64, EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er;
    Cvtph2ps [V H N N] 0: VEX_Vcvtph2ps_xmm_xmmm64, VEX_Vcvtph2ps_ymm_xmmm128, EVEX_Vcvtph2ps_xmm_k1z_xmmm64, EVEX_Vcvtph2ps_ymm_k1z_xmmm128, EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae;
    Cvtps2ph [H V I N] 0: VEX_Vcvtps2ph_xmmm64_xmm_imm8, VEX_Vcvtps2ph_xmmm128_ymm_imm8, EVEX_Vcvtps2ph_xmmm64_k1z_xmm_imm8, EVEX_Vcvtps2ph_xmmm128_k1z_ymm_imm8, EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae;
    // Conversions, scalar.
    Cvtsi2ss32 [X X R32 N] 0: VEX_Vcvtsi2ss_xmm_xmm_rm32, INVALID, EVEX_Vcvtsi2ss_xmm_xmm_rm32_er, INVALID, INVALID;
    Cvtsi2ss64 [X X R64 N] 0: VEX_Vcvtsi2ss_xmm_xmm_rm64, INVALID, EVEX_Vcvtsi2ss_xmm_xmm_rm64_er, INVALID, INVALID;
    Cvtsi2sd32 [X X R32 N] 0: VEX_Vcvtsi2sd_xmm_xmm_rm32, INVALID, EVEX_Vcvtsi2sd_xmm_xmm_rm32_er, INVALID, INVALID;
    Cvtsi2sd64 [X X R64 N] 0: VEX_Vcvtsi2sd_xmm_xmm_rm64, INVALID, EVEX_Vcvtsi2sd_xmm_xmm_rm64_er, INVALID, INVALID;
    Cvtusi2ss64 [X X R64 N] 0: INVALID, INVALID, EVEX_Vcvtusi2ss_xmm_xmm_rm64_er, INVALID, INVALID;
    Cvtusi2sd64 [X X R64 N] 0: INVALID, INVALID, EVEX_Vcvtusi2sd_xmm_xmm_rm64_er, INVALID, INVALID;
    Cvttss2si64 [R64 X N N] 0: VEX_Vcvttss2si_r64_xmmm32, INVALID, EVEX_Vcvttss2si_r64_xmmm32_sae, INVALID, INVALID;
    Cvttsd2si64 [R64 X N N] 0: VEX_Vcvttsd2si_r64_xmmm64, INVALID, EVEX_Vcvttsd2si_r64_xmmm64_sae, INVALID, INVALID;
    Cvttss2usi64 [R64 X N N] 0: INVALID, INVALID, EVEX_Vcvttss2usi_r64_xmmm32_sae, INVALID, INVALID;
    Cvttsd2usi64 [R64 X N N] 0: INVALID, INVALID, EVEX_Vcvttsd2usi_r64_xmmm64_sae, INVALID, INVALID;
    Cvtss2sd [X X X N] 0: VEX_Vcvtss2sd_xmm_xmm_xmmm32, INVALID, EVEX_Vcvtss2sd_xmm_k1z_xmm_xmmm32_sae, INVALID, INVALID;
    Cvtsd2ss [X X X N] 0: VEX_Vcvtsd2ss_xmm_xmm_xmmm64, INVALID, EVEX_Vcvtsd2ss_xmm_k1z_xmm_xmmm64_er, INVALID, INVALID;
    // Boolean vectors to general registers.
    Movmskps [R32 V N N] 0: VEX_Vmovmskps_r32_xmm, VEX_Vmovmskps_r32_ymm, INVALID, INVALID, INVALID;
    Movmskpd [R32 V N N] 0: VEX_Vmovmskpd_r32_xmm, VEX_Vmovmskpd_r32_ymm, INVALID, INVALID, INVALID;
    Pmovmskb [R32 V N N] 0: VEX_Vpmovmskb_r32_xmm, VEX_Vpmovmskb_r32_ymm, INVALID, INVALID, INVALID;
    Pmovm2b [V K N N] 0: INVALID, INVALID, EVEX_Vpmovm2b_xmm_kr, EVEX_Vpmovm2b_ymm_kr, EVEX_Vpmovm2b_zmm_kr;
    Pmovb2m [K V N N] 0: INVALID, INVALID, EVEX_Vpmovb2m_kr_xmm, EVEX_Vpmovb2m_kr_ymm, EVEX_Vpmovb2m_kr_zmm;
    Pmovm2w [V K N N] 0: INVALID, INVALID, EVEX_Vpmovm2w_xmm_kr, EVEX_Vpmovm2w_ymm_kr, EVEX_Vpmovm2w_zmm_kr;
    Pmovw2m [K V N N] 0: INVALID, INVALID, EVEX_Vpmovw2m_kr_xmm, EVEX_Vpmovw2m_kr_ymm, EVEX_Vpmovw2m_kr_zmm;
    Pmovm2d [V K N N] 0: INVALID, INVALID, EVEX_Vpmovm2d_xmm_kr, EVEX_Vpmovm2d_ymm_kr, EVEX_Vpmovm2d_zmm_kr;
    Pmovd2m [K V N N] 0: INVALID, INVALID, EVEX_Vpmovd2m_kr_xmm, EVEX_Vpmovd2m_kr_ymm, EVEX_Vpmovd2m_kr_zmm;
    Pmovm2q [V K N N] 0: INVALID, INVALID, EVEX_Vpmovm2q_xmm_kr, EVEX_Vpmovm2q_ymm_kr, EVEX_Vpmovm2q_zmm_kr;
    Pmovq2m [K V N N] 0: INVALID, INVALID, EVEX_Vpmovq2m_kr_xmm, EVEX_Vpmovq2m_kr_ymm, EVEX_Vpmovq2m_kr_zmm;
    // Gathers.
    Pgatherdd [V M V N] 0: VEX_Vpgatherdd_xmm_vm32x_xmm, VEX_Vpgatherdd_ymm_vm32y_ymm, INVALID, INVALID, INVALID;
    Pgatherdq [V M V N] 0: VEX_Vpgatherdq_xmm_vm32x_xmm, VEX_Vpgatherdq_ymm_vm32x_ymm, INVALID, INVALID, INVALID;
    KPgatherdd [V M N N] 0: INVALID, INVALID, EVEX_Vpgatherdd_xmm_k1_vm32x, EVEX_Vpgatherdd_ymm_k1_vm32y, EVEX_Vpgatherdd_zmm_k1_vm32z;
    KPscatterdd [M V N N] 0: INVALID, INVALID, EVEX_Vpscatterdd_vm32x_k1_xmm, EVEX_Vpscatterdd_vm32y_k1_ymm, EVEX_Vpscatterdd_vm32z_k1_zmm;
    KPscatterdq [M V N N] 0: INVALID, INVALID, EVEX_Vpscatterdq_vm32x_k1_xmm, EVEX_Vpscatterdq_vm32x_k1_ymm, EVEX_Vpscatterdq_vm32y_k1_zmm;
    KPgatherdq [V M N N] 0: INVALID, INVALID, EVEX_Vpgatherdq_xmm_k1_vm32x, EVEX_Vpgatherdq_ymm_k1_vm32x, EVEX_Vpgatherdq_zmm_k1_vm32y;
    // Mask registers.
    Kandb [K K K N] 0: INVALID, INVALID, VEX_Kandb_kr_kr_kr, INVALID, INVALID;
    Kandnb [K K K N] 0: INVALID, INVALID, VEX_Kandnb_kr_kr_kr, INVALID, INVALID;
    Korb [K K K N] 0: INVALID, INVALID, VEX_Korb_kr_kr_kr, INVALID, INVALID;
    Kxorb [K K K N] 0: INVALID, INVALID, VEX_Kxorb_kr_kr_kr, INVALID, INVALID;
    Knotb [K K N N] 0: INVALID, INVALID, VEX_Knotb_kr_kr, INVALID, INVALID;
    Kortestb [K K N N] 0: INVALID, INVALID, VEX_Kortestb_kr_kr, INVALID, INVALID;
    Ktestb [K K N N] 0: INVALID, INVALID, VEX_Ktestb_kr_kr, INVALID, INVALID;
    Kshiftrb [K K I N] 0: INVALID, INVALID, VEX_Kshiftrb_kr_kr_imm8, INVALID, INVALID;
    Kshiftlb [K K I N] 0: INVALID, INVALID, VEX_Kshiftlb_kr_kr_imm8, INVALID, INVALID;
    Kandw [K K K N] 0: INVALID, INVALID, VEX_Kandw_kr_kr_kr, INVALID, INVALID;
    Kandnw [K K K N] 0: INVALID, INVALID, VEX_Kandnw_kr_kr_kr, INVALID, INVALID;
    Korw [K K K N] 0: INVALID, INVALID, VEX_Korw_kr_kr_kr, INVALID, INVALID;
    Kxorw [K K K N] 0: INVALID, INVALID, VEX_Kxorw_kr_kr_kr, INVALID, INVALID;
    Knotw [K K N N] 0: INVALID, INVALID, VEX_Knotw_kr_kr, INVALID, INVALID;
    Kortestw [K K N N] 0: INVALID, INVALID, VEX_Kortestw_kr_kr, INVALID, INVALID;
    Ktestw [K K N N] 0: INVALID, INVALID, VEX_Ktestw_kr_kr, INVALID, INVALID;
    Kshiftrw [K K I N] 0: INVALID, INVALID, VEX_Kshiftrw_kr_kr_imm8, INVALID, INVALID;
    KmovInd [K R32 N N] 0: INVALID, INVALID, VEX_Kmovd_kr_r32, INVALID, INVALID;
    KmovOutd [R32 K N N] 0: INVALID, INVALID, VEX_Kmovd_r32_kr, INVALID, INVALID;
    Kandd [K K K N] 0: INVALID, INVALID, VEX_Kandd_kr_kr_kr, INVALID, INVALID;
    Kandnd [K K K N] 0: INVALID, INVALID, VEX_Kandnd_kr_kr_kr, INVALID, INVALID;
    Kord [K K K N] 0: INVALID, INVALID, VEX_Kord_kr_kr_kr, INVALID, INVALID;
    Kxord [K K K N] 0: INVALID, INVALID, VEX_Kxord_kr_kr_kr, INVALID, INVALID;
    Knotd [K K N N] 0: INVALID, INVALID, VEX_Knotd_kr_kr, INVALID, INVALID;
    Kortestd [K K N N] 0: INVALID, INVALID, VEX_Kortestd_kr_kr, INVALID, INVALID;
    Ktestd [K K N N] 0: INVALID, INVALID, VEX_Ktestd_kr_kr, INVALID, INVALID;
    Kshiftrd [K K I N] 0: INVALID, INVALID, VEX_Kshiftrd_kr_kr_imm8, INVALID, INVALID;
    KmovInq [K R64 N N] 0: INVALID, INVALID, VEX_Kmovq_kr_r64, INVALID, INVALID;
    KmovOutq [R64 K N N] 0: INVALID, INVALID, VEX_Kmovq_r64_kr, INVALID, INVALID;
    Kandq [K K K N] 0: INVALID, INVALID, VEX_Kandq_kr_kr_kr, INVALID, INVALID;
    Kandnq [K K K N] 0: INVALID, INVALID, VEX_Kandnq_kr_kr_kr, INVALID, INVALID;
    Korq [K K K N] 0: INVALID, INVALID, VEX_Korq_kr_kr_kr, INVALID, INVALID;
    Kxorq [K K K N] 0: INVALID, INVALID, VEX_Kxorq_kr_kr_kr, INVALID, INVALID;
    Knotq [K K N N] 0: INVALID, INVALID, VEX_Knotq_kr_kr, INVALID, INVALID;
    Kortestq [K K N N] 0: INVALID, INVALID, VEX_Kortestq_kr_kr, INVALID, INVALID;
    Ktestq [K K N N] 0: INVALID, INVALID, VEX_Ktestq_kr_kr, INVALID, INVALID;
    Kshiftrq [K K I N] 0: INVALID, INVALID, VEX_Kshiftrq_kr_kr_imm8, INVALID, INVALID;
    Kunpckbw [K K K N] 0: INVALID, INVALID, VEX_Kunpckbw_kr_kr_kr, INVALID, INVALID;
}
