// Derived from Khronos' grammar by `conformance/src/grammar.rs`.

// Values of enumerations that have operands.
values! {
    ExecutionMode {
        0 [LiteralInteger];
        17 [LiteralInteger] [LiteralInteger] [LiteralInteger];
        18 [LiteralInteger] [LiteralInteger] [LiteralInteger];
        26 [LiteralInteger];
        30 [LiteralInteger];
        35 [LiteralInteger];
        36 [LiteralInteger];
        37 [IdRef];
        38 [IdRef] [IdRef] [IdRef];
        39 [IdRef] [IdRef] [IdRef];
        4459 [LiteralInteger];
        4460 [LiteralInteger];
        4461 [LiteralInteger];
        4462 [LiteralInteger];
        4463 [LiteralInteger];
        4490 [LiteralInteger] [LiteralInteger] [LiteralInteger];
        5070 [IdRef];
        5071 [IdRef];
        5072 [IdRef] [IdRef] [IdRef];
        5073 [IdRef];
        5077 [IdRef] [IdRef] [IdRef];
        5102 [IdRef] [IdRef];
        5270 [LiteralInteger];
        5618 [LiteralInteger];
        5620 [LiteralInteger];
        5621 [LiteralInteger];
        5622 [LiteralInteger];
        5623 [LiteralInteger];
        5893 [LiteralInteger] [LiteralInteger] [LiteralInteger];
        5894 [LiteralInteger];
        5896 [LiteralInteger];
        5903 [LiteralInteger];
        6028 [IdRef] [IdRef];
        6154 [LiteralInteger];
        6160 [LiteralInteger];
        6417 [LiteralInteger];
        6461 [LiteralInteger];
        6462 [IdRef];
        6463 [NamedMaximumNumberOfRegisters];
    }
    Decoration {
        1 [LiteralInteger];
        6 [LiteralInteger];
        7 [LiteralInteger];
        11 [BuiltIn];
        27 [IdScope];
        29 [LiteralInteger];
        30 [LiteralInteger];
        31 [LiteralInteger];
        32 [LiteralInteger];
        33 [LiteralInteger];
        34 [LiteralInteger];
        35 [LiteralInteger];
        36 [LiteralInteger];
        37 [LiteralInteger];
        38 [FunctionParameterAttribute];
        39 [FPRoundingMode];
        40 [FPFastMathMode];
        41 [LiteralString] [LinkageType];
        43 [LiteralInteger];
        44 [LiteralInteger];
        45 [LiteralInteger];
        46 [IdRef];
        47 [IdRef];
        5019 [IdRef];
        5020 [IdRef];
        5091 [IdRef];
        5098 [IdRef];
        5100 [IdRef];
        5124 [IdRef];
        5125 [IdRef];
        5256 [LiteralInteger];
        5358 [LiteralInteger];
        5397 [LiteralInteger];
        5599 [LiteralInteger];
        5607 [LiteralString];
        5625 [LiteralInteger];
        5628 [LiteralInteger];
        5634 [IdRef];
        5635 [LiteralString];
        5636 [LiteralString];
        5822 [LiteralInteger] [FPRoundingMode];
        5823 [LiteralInteger] [FPDenormMode];
        5826 [LiteralString];
        5827 [LiteralInteger];
        5828 [LiteralInteger];
        5829 [LiteralInteger];
        5832 [LiteralInteger];
        5834 [LiteralString] [LiteralString];
        5835 [LiteralInteger *];
        5836 [LiteralInteger];
        5883 [LiteralInteger];
        5884 [LiteralInteger];
        5900 [LiteralInteger];
        5902 [LiteralInteger];
        5909 [LiteralInteger] [LiteralInteger];
        5914 [IdRef];
        5915 [IdRef];
        5917 [LiteralInteger];
        5918 [LiteralInteger];
        5919 [LiteralInteger];
        5921 [LiteralInteger];
        5944 [LiteralInteger];
        6080 [LiteralInteger] [FPOperationMode];
        6170 [LiteralFloat];
        6172 [LiteralInteger];
        6173 [LiteralInteger] [LiteralInteger] [LiteralInteger];
        6177 [LiteralInteger];
        6178 [LiteralInteger];
        6179 [LiteralInteger];
        6180 [AccessQualifier];
        6181 [LiteralInteger];
        6182 [LiteralInteger];
        6188 [HostAccessQualifier] [LiteralString];
        6190 [InitializationModeQualifier];
        6191 [LiteralInteger];
        6247 [IdRef];
        6442 [LiteralInteger] [LoadCacheControl];
        6443 [LiteralInteger] [StoreCacheControl];
    }
}

// Flags by name, with their operands.
flags! {
    ImageOperands {
        0x1 "Bias" [IdRef];
        0x2 "Lod" [IdRef];
        0x4 "Grad" [IdRef] [IdRef];
        0x8 "ConstOffset" [IdRef];
        0x10 "Offset" [IdRef];
        0x20 "ConstOffsets" [IdRef];
        0x40 "Sample" [IdRef];
        0x80 "MinLod" [IdRef];
        0x100 "MakeTexelAvailable" [IdScope];
        0x200 "MakeTexelVisible" [IdScope];
        0x400 "NonPrivateTexel";
        0x800 "VolatileTexel";
        0x1000 "SignExtend";
        0x2000 "ZeroExtend";
        0x4000 "Nontemporal";
        0x10000 "Offsets" [IdRef];
    }
    FPFastMathMode {
        0x1 "NotNaN";
        0x2 "NotInf";
        0x4 "NSZ";
        0x8 "AllowRecip";
        0x10 "Fast";
        0x10000 "AllowContract";
        0x20000 "AllowReassoc";
        0x40000 "AllowTransform";
    }
    SelectionControl {
        0x1 "Flatten";
        0x2 "DontFlatten";
    }
    LoopControl {
        0x1 "Unroll";
        0x2 "DontUnroll";
        0x4 "DependencyInfinite";
        0x8 "DependencyLength" [LiteralInteger];
        0x10 "MinIterations" [LiteralInteger];
        0x20 "MaxIterations" [LiteralInteger];
        0x40 "IterationMultiple" [LiteralInteger];
        0x80 "PeelCount" [LiteralInteger];
        0x100 "PartialCount" [LiteralInteger];
        0x10000 "InitiationIntervalALTERA" [LiteralInteger];
        0x20000 "MaxConcurrencyALTERA" [LiteralInteger];
        0x40000 "DependencyArrayALTERA" [LiteralInteger];
        0x80000 "PipelineEnableALTERA" [LiteralInteger];
        0x100000 "LoopCoalesceALTERA" [LiteralInteger];
        0x200000 "MaxInterleavingALTERA" [LiteralInteger];
        0x400000 "SpeculatedIterationsALTERA" [LiteralInteger];
        0x800000 "NoFusionALTERA";
        0x1000000 "LoopCountALTERA" [LiteralInteger];
        0x2000000 "MaxReinvocationDelayALTERA" [LiteralInteger];
    }
    FunctionControl {
        0x1 "Inline";
        0x2 "DontInline";
        0x4 "Pure";
        0x8 "Const";
        0x10000 "OptNoneEXT";
    }
    MemorySemantics {
        0x2 "Acquire";
        0x4 "Release";
        0x8 "AcquireRelease";
        0x10 "SequentiallyConsistent";
        0x40 "UniformMemory";
        0x80 "SubgroupMemory";
        0x100 "WorkgroupMemory";
        0x200 "CrossWorkgroupMemory";
        0x400 "AtomicCounterMemory";
        0x800 "ImageMemory";
        0x1000 "OutputMemory";
        0x2000 "MakeAvailable";
        0x4000 "MakeVisible";
        0x8000 "Volatile";
    }
    MemoryAccess {
        0x1 "Volatile";
        0x2 "Aligned" [LiteralInteger];
        0x4 "Nontemporal";
        0x8 "MakePointerAvailable" [IdScope];
        0x10 "MakePointerVisible" [IdScope];
        0x20 "NonPrivatePointer";
        0x10000 "AliasScopeINTELMask" [IdRef];
        0x20000 "NoAliasINTELMask" [IdRef];
    }
    KernelProfilingInfo {
        0x1 "CmdExecTime";
    }
    RayFlags {
        0x1 "OpaqueKHR";
        0x2 "NoOpaqueKHR";
        0x4 "TerminateOnFirstHitKHR";
        0x8 "SkipClosestHitShaderKHR";
        0x10 "CullBackFacingTrianglesKHR";
        0x20 "CullFrontFacingTrianglesKHR";
        0x40 "CullOpaqueKHR";
        0x80 "CullNoOpaqueKHR";
        0x100 "SkipTrianglesKHR";
        0x200 "SkipAABBsKHR";
        0x400 "ForceOpacityMicromap2StateEXT";
    }
    FragmentShadingRate {
        0x1 "Vertical2Pixels";
        0x2 "Vertical4Pixels";
        0x4 "Horizontal2Pixels";
        0x8 "Horizontal4Pixels";
    }
    RawAccessChainOperands {
        0x1 "RobustnessPerComponentNV";
        0x2 "RobustnessPerElementNV";
    }
    CooperativeMatrixOperands {
        0x1 "MatrixASignedComponentsKHR";
        0x2 "MatrixBSignedComponentsKHR";
        0x4 "MatrixCSignedComponentsKHR";
        0x8 "MatrixResultSignedComponentsKHR";
        0x10 "SaturatingAccumulationKHR";
    }
    CooperativeMatrixReduce {
        0x1 "Row";
        0x2 "Column";
        0x4 "2x2";
    }
    TensorAddressingOperands {
        0x1 "TensorView" [IdRef];
        0x2 "DecodeFunc" [IdRef];
    }
    MatrixMultiplyAccumulateOperands {
        0x1 "MatrixASignedComponentsINTEL";
        0x2 "MatrixBSignedComponentsINTEL";
        0x4 "MatrixCBFloat16INTEL";
        0x8 "MatrixResultBFloat16INTEL";
        0x10 "MatrixAPackedInt8INTEL";
        0x20 "MatrixBPackedInt8INTEL";
        0x40 "MatrixAPackedInt4INTEL";
        0x80 "MatrixBPackedInt4INTEL";
        0x100 "MatrixATF32INTEL";
        0x200 "MatrixBTF32INTEL";
        0x400 "MatrixAPackedFloat16INTEL";
        0x800 "MatrixBPackedFloat16INTEL";
        0x1000 "MatrixAPackedBFloat16INTEL";
        0x2000 "MatrixBPackedBFloat16INTEL";
    }
    TensorOperands {
        0x1 "NontemporalARM";
        0x2 "OutOfBoundsValueARM" [IdRef];
        0x4 "MakeElementAvailableARM" [IdRef];
        0x8 "MakeElementVisibleARM" [IdRef];
        0x10 "NonPrivateElementARM";
    }
}
