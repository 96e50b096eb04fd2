<?php

class LanternController extends Controller
{
    public function index()
    {
        $lanterns = Lantern::latest()->paginate(10);

        return view('lanterns.index', compact('lanterns'));
    }

    public function store(Request $request)
    {
        $request->validate([
            'name' => 'required|string|max:255',
            'height' => 'required|integer',
        ]);

        Lantern::create($request->all());

        return redirect()->route('lanterns.index')->with('success', 'Lantern created successfully.');
    }
}
